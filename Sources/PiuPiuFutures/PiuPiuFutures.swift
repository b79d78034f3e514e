/// The callback API of PiuPiu 1 as a thin bridge over `Task`; it re-exports all of `PiuPiuAsync`.
@_exported import PiuPiuAsync
@_exported import PiuPiuTransforms
