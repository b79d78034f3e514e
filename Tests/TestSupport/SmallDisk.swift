import Foundation

/// A file system of its own in a folder, small or not to be written to, for what happens when a disk is full.
///
/// It needs Linux, the rights of root and a kernel that allows mounting, which a container often does not. If one of
/// them is missing, ``isAvailable`` is `false`.
public final class SmallDisk: Sendable {
    /// Whether there can be one.
    public static let isAvailable: Bool = (try? SmallDisk(size: 1 << 16)) != nil

    /// The folder in which it is mounted.
    public let folder: URL
    private let unmounting: Command

    /// Mounts a disk.
    ///
    /// - Parameters:
    ///   - size: How many bytes it holds, in whole pages.
    ///   - isReadOnly: Whether nothing can be written.
    /// - Throws: ``Command/Failure`` if the system does not allow it.
    public init(size: Int, isReadOnly: Bool = false) throws {
        let mounting = try Command("mount")
        unmounting = try Command("umount")
        folder = FileManager.default.temporaryDirectory.appending(path: "piupiu-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            let options = "size=\(size)" + (isReadOnly ? ",ro" : "")
            try mounting.run("-t", "tmpfs", "-o", options, "tmpfs", folder.path)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    deinit {
        // Lazily: a file may still be open.
        try? unmounting.run("-l", folder.path)
        try? FileManager.default.removeItem(at: folder)
    }
}
