#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// The files that the lab offers for download: several kinds, generated while they are sent.
enum Shelves {
    /// A file of the catalog, as listed by the server.
    struct Item: Codable, Sendable, Hashable {
        let name: String
        let bytes: Int
        let about: String
        /// The priority that the reader assigns to it: low, normal, high or critical.
        let priority: String
    }

    static let items = [
        Item(name: "atlas.tar", bytes: 3_000_000, about: "all maps of the harbour", priority: "low"),
        Item(name: "tides.pdf", bytes: 1_200_000, about: "high and low water of the year", priority: "normal"),
        Item(name: "cover.png", bytes: 400_000, about: "the cover of the catalogue", priority: "high"),
        Item(name: "letter.txt", bytes: 2_000, about: "a letter to the reader", priority: "critical"),
        Item(name: "ships.csv", bytes: 600_000, about: "what lies at which quay", priority: "normal"),
        Item(name: "errata.html", bytes: 30_000, about: "what the printer got wrong", priority: "low"),
    ]

    /// Returns stubs for the catalog at `/catalogue` and for the files at `/files/NAME`, which support ranges. Each
    /// file is sent at `rate` bytes per second.
    static func stubs(rate: Int) -> [Stub] {
        [
            Stub(.get, "/catalogue", .json(items)).optional(),
            Stub(.get, "/files/{name}") { request in
                guard let item = items.first(where: { $0.name == request.parameters["name"] }) else {
                    return .text("there is no such file", status: .notFound)
                }
                return StubResponse.bytes(content(of: item)).header(.eTag, "\"\(item.name)-\(item.bytes)\"")
                    .part(for: request).throttled(to: rate)
            }
            .optional(),
        ]
    }

    /// Returns the bytes of a file: a signature that identifies its kind, then bytes that encode their position.
    static func content(of item: Item) -> Bytes {
        let head: [UInt8] =
            switch item.name.split(separator: ".").last {
            case "png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            case "pdf": Array("%PDF-1.7\n".utf8)
            case "html": Array("<!doctype html>\n<title>Errata</title>\n".utf8)
            case "csv": Array("ship,quay,since\nAda,4,1843\nGrace,7,1952\n".utf8)
            case "txt": Array("Dear reader,\nthe sea is wide, and so is the network.\n".utf8)
            default: []
            }
        return Bytes(head) + BytePattern.bytes(from: Int64(head.count), count: max(0, item.bytes - head.count))
    }
}
#endif
