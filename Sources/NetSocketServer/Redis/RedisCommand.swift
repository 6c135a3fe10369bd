#if Redis
internal import CHiredis
internal import NIOCore
internal import NetCore

/// A command for a broker: its name and its arguments.
struct RedisCommand: Sendable, Hashable {
    private(set) var arguments: [Bytes]

    /// Creates a command from its name and text arguments.
    init(_ name: String, _ arguments: String...) {
        self.init(name, arguments.map { Bytes($0.utf8) })
    }

    /// Creates a command from its name and binary arguments.
    init(_ name: String, _ arguments: [Bytes]) {
        self.arguments = [Bytes(name.utf8)] + arguments
    }

    /// The command's name, which is its first argument.
    var name: String { String(decoding: arguments[0], as: UTF8.self) }

    mutating func append(_ argument: Bytes) { arguments.append(argument) }

    mutating func append(_ argument: String) { arguments.append(Bytes(argument.utf8)) }

    /// An upper bound for the size of the encoded command, in bytes.
    var maximumByteCount: Int {
        arguments.reduce(Self.lineBytes) { $0 + $1.count + Self.lineBytes }
    }

    /// The size of a length line with its marker and line end, plus the line end of a string.
    private static let lineBytes = 25

    /// The maximum size of a command: hiredis counts bytes in 32 bits, and so does a buffer.
    static let maximumBytes = 1 << 30

    /// Encodes the command; nil if it's larger than ``maximumBytes``, or if no memory is available.
    func encoded() -> ByteBuffer? {
        guard maximumByteCount <= Self.maximumBytes else { return nil }
        return withExtendedLifetime(arguments) {
            var starts: [UnsafePointer<CChar>?] = arguments.map { argument in
                UnsafeRawPointer(argument.storage.base + argument.offset).assumingMemoryBound(to: CChar.self)
            }
            let counts = arguments.map(\.count)
            var text: UnsafeMutablePointer<CChar>?
            let count = Int(redisFormatCommandArgv(&text, Int32(starts.count), &starts, counts))
            guard count >= 0, let text else { return nil }
            defer { redisFreeCommand(text) }
            return ByteBuffer(bytes: UnsafeRawBufferPointer(start: text, count: count))
        }
    }
}

extension RedisCommand: CustomStringConvertible, CustomReflectable {
    /// The name and the number of arguments. The arguments themselves may be secrets.
    var description: String { "\(name) with \(arguments.count - 1) arguments" }

    /// Omits the arguments.
    var customMirror: Mirror { Mirror(self, children: ["command": description]) }
}
#endif
