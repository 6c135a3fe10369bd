package import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The names of downloaded files. Pure functions: regardless of the server's input, the name is a single component
/// that's safe in every folder.
package enum DownloadName {
    /// The maximum size of a name in UTF-8 bytes.
    static let maximumBytes = 255

    /// Returns the name of a download: the caller's, else that of `Content-Disposition`, else the last component of
    /// the URL, else the ID. A name without an extension gets the one that fits the content, unless the caller chose
    /// the name.
    ///
    /// - Parameters:
    ///   - requested: The name that the caller chose. No extension is added to it.
    ///   - contentType: The media type from the server.
    ///   - head: The first bytes of the file; up to ``NetCore/MediaType/sniffedBytes`` are read.
    package static func choose(
        requested: String? = nil, disposition: ContentDisposition? = nil, url: String, id: UUID,
        contentType: MediaType? = nil, head: Bytes = Bytes()
    ) -> String {
        if let name = requested.flatMap(safe) { return name }
        let name = disposition?.filename.flatMap(safe) ?? lastComponent(of: url).flatMap(safe)
        return completed(name ?? id.uuidString.lowercased(), contentType, head)
    }

    /// Returns a safe version of a name; nil if no usable characters remain.
    ///
    /// The result is the part after the last slash or backslash, without control characters, marks that change the
    /// text direction, leading dots and dashes, and trailing dots and blanks. Characters that Windows forbids become
    /// `_`, and the names of its devices get a leading `_`. A long name is shortened at a character boundary and
    /// keeps its extension.
    package static func safe(_ text: String) -> String? {
        let slashes: Set<UInt8> = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
        guard let last = text.utf8.split(whereSeparator: { slashes.contains($0) }).last else { return nil }
        var name = String(String.UnicodeScalarView(String(Substring(last)).unicodeScalars.compactMap(allowed)))
        name = trimmed(name)
        guard !name.isEmpty, name.contains(where: { $0 != "_" }) || text == name else { return nil }
        if isDevice(name) { name = "_" + name }
        return shortened(name)
    }

    /// Returns a safe version of a folder path: relative, each component converted by ``safe(_:)``, at most eight;
    /// empty if nothing remains.
    package static func folder(_ text: String) -> String {
        let separators: Set<UInt8> = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
        return text.utf8.split(whereSeparator: { separators.contains($0) })
            .compactMap { safe(String(Substring($0))) }.prefix(8).joined(separator: "/")
    }

    /// Returns the name with a number before its extension: `archive (1).tar.gz`.
    static func numbered(_ name: String, _ number: Int) -> String {
        let (base, ending) = parts(name)
        let mark = " (\(number))"
        return cut(base, to: maximumBytes - mark.utf8.count - ending.utf8.count) + mark + ending
    }

    /// Returns the last component of a URL's path, decoded once; nil if it's empty.
    private static func lastComponent(of url: String) -> String? {
        let end = url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.endIndex
        var path = url[..<end]
        if let colon = path.utf8.firstIndex(of: UInt8(ascii: ":")), path[colon...].utf8.starts(with: "://".utf8) {
            let authority = path.utf8.index(colon, offsetBy: 3)
            guard let slash = path[authority...].utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            path = path[slash...]
        }
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        var component = path[start...]
        // Parameters aren't part of the name, and `;jsessionid=…` is a secret.
        if let parameters = component.utf8.firstIndex(of: UInt8(ascii: ";")),
            component[parameters...].utf8.contains(UInt8(ascii: "="))
        {
            component = component[..<parameters]
        }
        return component.isEmpty ? nil : text(PercentEncoding.bytes(component))
    }

    /// Returns the text of a name's bytes: UTF-8, or else Windows-1252, as browsers read ISO 8859-1.
    static func text(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? Charset.windows1252.decode(Bytes(bytes))
            ?? String(decoding: bytes, as: UTF8.self)
    }

    /// Adds the extension of the content to a name without one.
    private static func completed(_ name: String, _ contentType: MediaType?, _ head: Bytes) -> String {
        guard !name.utf8.dropFirst().contains(UInt8(ascii: ".")) else { return name }
        let type = MediaType.sniff(head)?.preferredExtension ?? contentType.flatMap(fileExtension)
        return type.map { adding($0, to: name) } ?? name
    }

    /// Returns the name with an extension added.
    static func adding(_ ending: String, to name: String) -> String {
        cut(name, to: maximumBytes - ending.utf8.count - 1) + "." + ending
    }

    /// The extension of a media type; the type for unknown bytes has none.
    private static func fileExtension(_ type: MediaType) -> String? {
        type.essence == MediaType.octetStream.essence ? nil : type.preferredExtension
    }
}
