/// The kind of a frame (RFC 6455 §5.2).
package enum FrameOpcode: UInt8, Sendable, Hashable, CaseIterable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether the frame controls the connection, and is not part of a message (RFC 6455 §5.5).
    package var isControl: Bool { rawValue & 0x8 != 0 }
}
