internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The folder beside a cassette that holds its large binary bodies: `shop.bodies` beside `shop.json`.
///
/// Each file name is a hash of the content: an unchanged body is an unchanged file.
struct BodyFiles {
    /// The maximum size, in bytes, of a binary body stored inline in the cassette.
    static let inlineBytes = 4 << 10

    let folder: String
    private var contents: [String: Bytes] = [:]

    init(cassette: String) {
        folder = (cassette.hasSuffix(".json") ? String(cassette.dropLast(5)) : cassette) + ".bodies"
    }

    /// Adds a body and returns the name of the file it will be written to.
    mutating func add(_ bytes: Bytes) -> String {
        // FNV-1a, run twice with different seeds. The names identify content; they aren't a security measure.
        var (first, second): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142)
        for byte in bytes {
            first = (first ^ UInt64(byte)) &* 0x100_0000_01b3
            second = (second ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let name = first.paddedHexadecimal + second.paddedHexadecimal + ".bin"
        contents[name] = bytes
        return name
    }

    func write() throws {
        guard !contents.isEmpty else { return }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, bytes) in contents {
            try bytes.data.write(to: URL(filePath: folder).appending(path: name), options: .atomic)
        }
    }

    /// Removes the bodies of an earlier recording; other files stay. A file that can't be removed is ignored.
    func removeOthers() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where Self.isName(name) && contents[name] == nil {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    /// Returns the content; nil if the file doesn't exist or the name isn't one that ``add(_:)`` makes.
    func read(_ name: String) -> Bytes? {
        guard Self.isName(name), let data = try? Data(contentsOf: URL(filePath: folder).appending(path: name)) else {
            return nil
        }
        return Bytes(data)
    }

    private static func isName(_ name: String) -> Bool {
        name.hasSuffix(".bin") && name.utf8.count == 36 && name.dropLast(4).allSatisfy(\.isHexDigit)
    }
}
