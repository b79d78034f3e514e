/// Writes frames as a client sends them (RFC 6455 §5.2, §5.3).
package enum FrameWriter {
    /// The size of the largest header, with the key of the mask.
    package static let maximumHeaderSize = 14

    /// Returns the size of a header, with the key of the mask.
    package static func headerSize(payloadCount: Int) -> Int {
        switch payloadCount {
        case ...125: 6
        case ...0xFFFF: 8
        default: 14
        }
    }

    /// Writes a header.
    ///
    /// - Parameters:
    ///   - opcode: The kind of the frame.
    ///   - isFinal: Whether the frame is the last of its message.
    ///   - isCompressed: Whether the frame begins a compressed message (RFC 7692 §6).
    ///   - count: The size of the payload.
    ///   - mask: The key of the mask; its highest byte is the first.
    ///   - room: The memory, of at least ``headerSize(payloadCount:)`` bytes.
    /// - Returns: The size of the header; 0 if the memory is too small.
    @discardableResult
    package static func writeHeader(
        opcode: FrameOpcode,
        isFinal: Bool,
        isCompressed: Bool,
        count: Int,
        mask: UInt32,
        into room: UnsafeMutableRawBufferPointer
    ) -> Int {
        let size = headerSize(payloadCount: count)
        guard room.count >= size, count >= 0 else { return 0 }
        room[0] = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue
        switch size {
        case 6:
            room[1] = 0x80 | UInt8(truncatingIfNeeded: count)
        case 8:
            room[1] = 0x80 | 126
            room.storeBytes(of: UInt16(truncatingIfNeeded: count).bigEndian, toByteOffset: 2, as: UInt16.self)
        default:
            room[1] = 0x80 | 127
            room.storeBytes(of: UInt64(count).bigEndian, toByteOffset: 2, as: UInt64.self)
        }
        room.storeBytes(of: mask.bigEndian, toByteOffset: size - 4, as: UInt32.self)
        return size
    }

    /// Appends a header; the parameters are those of ``writeHeader(opcode:isFinal:isCompressed:count:mask:into:)``.
    package static func writeHeader(
        opcode: FrameOpcode,
        isFinal: Bool,
        isCompressed: Bool,
        count: Int,
        mask: UInt32,
        into output: inout [UInt8]
    ) {
        withUnsafeTemporaryAllocation(byteCount: maximumHeaderSize, alignment: 8) { room in
            let size = writeHeader(
                opcode: opcode,
                isFinal: isFinal,
                isCompressed: isCompressed,
                count: count,
                mask: mask,
                into: room
            )
            output.append(contentsOf: room.prefix(size))
        }
    }

    /// Appends a whole frame with its masked payload.
    ///
    /// - Parameters:
    ///   - payload: The payload, not masked.
    ///   - opcode: The kind of the frame.
    ///   - isFinal: Whether the frame is the last of its message.
    ///   - isCompressed: Whether the frame begins a compressed message.
    ///   - key: The key of the mask.
    ///   - output: The memory to append to.
    package static func appendFrame(
        _ payload: UnsafeRawBufferPointer,
        opcode: FrameOpcode,
        isFinal: Bool = true,
        isCompressed: Bool = false,
        key: UInt32,
        to output: inout [UInt8]
    ) {
        writeHeader(
            opcode: opcode,
            isFinal: isFinal,
            isCompressed: isCompressed,
            count: payload.count,
            mask: key,
            into: &output
        )
        let start = output.count
        output.append(contentsOf: payload)
        output.withUnsafeMutableBytes { bytes in
            let written = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
            mask(UnsafeRawBufferPointer(written), into: written, key: key, offset: 0)
        }
    }
}
