#if os(Linux)
internal import Glibc
internal import NetCore

/// Reads PEM when a transport starts, so that what cannot be used fails with its name.
enum PEMText {
    /// The text; throws `.invalidRequest` for a file that cannot be read and for a text that is not what is expected.
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

    /// nil, with `errno`, for what is no readable file; at most 16 MiB of it.
    static func contents(ofFile path: String) -> String? {
        // A FIFO would block here until somebody writes.
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
