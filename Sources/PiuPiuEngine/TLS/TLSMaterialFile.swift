#if os(Linux)
import Glibc

/// Reads the files that TLS settings name.
enum TLSMaterialFile {
    /// The size of the largest file to read, in bytes.
    static let maximumLength = 16 << 20

    /// Returns the contents of a file; `nil` if it cannot be read, is no regular file, or is too large.
    static func contents(_ path: String) -> [UInt8]? {
        // Opening a pipe would wait for its other end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard status.st_size <= maximumLength else { return nil }
        var bytes: [UInt8] = []
        // One byte more than expected, to find the end.
        let step = max(Int(status.st_size) + 1, 1 << 12)
        while bytes.count <= maximumLength {
            let part = part(of: descriptor, step)
            guard let part else { return nil }
            guard !part.isEmpty else { return bytes }
            bytes.append(contentsOf: part)
        }
        return nil
    }

    private static func part(of descriptor: Int32, _ count: Int) -> [UInt8]? {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            repeat { result = read(descriptor, buffer.baseAddress, buffer.count) } while result < 0 && errno == EINTR
            filled = max(result, 0)
        }
        return result < 0 ? nil : bytes
    }

    /// Returns the contents of a file or of memory; `nil` as for ``contents(_:)``.
    static func contents(_ part: TLSSettings.Part) -> [UInt8]? {
        switch part {
        case .file(let path): contents(path)
        case .bytes(let bytes): bytes
        }
    }

    /// Returns the paths of the certificates in a folder, whose names are eight hexadecimal digits, a dot and a number; `nil`
    /// if the folder cannot be read.
    static func hashedFiles(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var paths: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isHashed(name) { paths.append(folder + "/" + name) }
        }
        return paths
    }

    private static func isHashed(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 8, !parts[1].isEmpty else { return false }
        return parts[0].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            && parts[1].allSatisfy { (0x30...0x39).contains($0) }
    }
}
#endif
