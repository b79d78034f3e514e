/// Whether the requests of a task lead where another origin said, as those of pages can.
///
/// For the transport they are like redirects from another origin: none leads into a Unix socket.
enum ForeignTarget {
    @TaskLocal static var isReached = false
}
