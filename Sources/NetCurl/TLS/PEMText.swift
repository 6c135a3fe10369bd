#if os(Linux)
internal import Glibc
internal import NetCore

/// Reads PEM text when a transport is created, so that unusable input fails with the name of its setting.
enum PEMText {
    /// Returns the text; throws `.invalidRequest` for an unreadable file, and for a text with other content than
    /// expected.
    static func read(
        _ pem: PEM, expecting content: PEMBlock.Content, setting: String, hasPassPhrase: Bool = false
    ) throws(NetError) -> String {
        let text: String
        var place = "the text"
        switch pem.source {
        case .text(let own):
            text = own
        case .file(let path):
            place = "the file \(path)"
            guard let read = contents(ofFile: path) else {
                throw NetError.unusable(setting, "\(place) cannot be read: \(String(cString: strerror(errno)))")
            }
            text = read
        }
        if let problem = PEMBlock.problem(in: text, expecting: content, hasPassPhrase: hasPassPhrase) {
            throw NetError.unusable(setting, "\(place) \(problem)")
        }
        return text
    }

    /// Returns at most 16 MiB of a file; nil, with `errno` set, if it can't be read.
    static func contents(ofFile path: String) -> String? {
        // Non-blocking: opening a FIFO would otherwise block until it has a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < 16 << 20 {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { break }
            guard count > 0 else { return nil }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
