// Re-exported, so that a program needs only `import PiuPiuAsync`.
@_exported import PiuPiuCore
@_exported import PiuPiuExchange
@_exported import PiuPiuURLSession

#if Policies
@_exported import PiuPiuPolicies
#endif
#if WebSockets
@_exported import PiuPiuWebSocket
#endif
#if os(Linux)
@_exported import PiuPiuSockets
#endif
