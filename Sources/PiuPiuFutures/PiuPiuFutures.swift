/// The callback API of PiuPiu 1 as a thin bridge over `Task`.
///
/// It is empty for now, apart from what it re-exports: the whole of `PiuPiuAsync`. `ResponseFuture` comes next.
@_exported import PiuPiuAsync
