/// Resolves every `$ref` of a document: any JSON pointer or `$anchor`, in the document or in the files around it.
///
/// Files are read once and kept. It never reads a file outside the document's reference folder and never fetches a URL.
///
///     let resolver = ReferenceResolver(document: document)
///     let schema = try resolver.resolve(parameter["schema"] ?? parameter)
///
/// A relative reference is relative to the file in its node's position, so nodes of any file can be passed unchanged.
public final class ReferenceResolver {
    /// The target of a reference.
    struct Found {
        var node: Node
        var file: ReferenceFiles.File
        var pointer: JSONPointer
    }

    private struct CacheKey: Hashable {
        let file: String
        let text: ExactKey

        init(file: String, text: String) {
            self.file = file
            self.text = ExactKey(text)
        }

        init(_ found: Found) {
            self.init(file: found.file.name, text: found.pointer.text)
        }
    }

    /// The maximum number of references that one lookup follows; a longer chain is treated as a cycle.
    static let maximumHops = 64

    let files: ReferenceFiles
    private var cache: [CacheKey: Result<Found, Diagnostic>] = [:]
    private var suggestions = ReferenceSuggestions()

    /// Creates a resolver for a document; other files are read when a reference leads to them.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - loader: The loader for those files. Use the limits that the document was loaded with.
    public init(document: Document, loader: DocumentLoader = DocumentLoader()) {
        self.files = ReferenceFiles(document: document, loader: loader)
    }

    /// The warnings about the files that references led to, for example duplicate keys.
    public var warnings: [Diagnostic] { files.warnings }

    /// Returns the target of a reference, following a single step: the target may be a reference as well.
    ///
    /// - Parameter reference: An object with `$ref`.
    /// - Throws: An error at the `$ref` if it isn't text, has no target, leaves the folder or is a URL.
    public func target(of reference: Node) throws(Diagnostic) -> ResolvedReference {
        let found = try found(by: reference)
        return ResolvedReference(
            node: found.node, file: found.file.name, pointer: found.pointer.text, name: found.pointer.segments.last)
    }

    /// Returns the first node in the chain of references that isn't a reference; the node itself if it isn't one.
    ///
    /// Keywords beside a `$ref` are kept: they override the target's keywords of the same name.
    ///
    /// - Throws: An error at a `$ref` that `target(of:)` rejects, or that leads back to itself.
    public func resolve(_ node: Node) throws(Diagnostic) -> Node {
        var current = node
        var siblings: [Node.Member] = []
        var seen: Set<CacheKey> = []
        while current.reference != nil {
            for member in current.members where member.key != "$ref" {
                if !siblings.contains(where: { $0.key == member.key }) { siblings.append(member) }
            }
            let found = try found(by: current)
            guard seen.insert(CacheKey(found)).inserted else { throw endless(node) }
            current = found.node
        }
        guard !siblings.isEmpty, case .object(var members) = current.value else { return current }
        for sibling in siblings {
            if let place = members.firstIndex(where: { $0.key == sibling.key }) {
                members[place] = sibling
            } else {
                members.append(sibling)
            }
        }
        return Node(.object(members), at: current.position)
    }

    /// Returns the places in a node's file that have this name as `$dynamicAnchor`.
    func dynamicAnchors(_ name: String, inFileOf node: Node) -> [JSONPointer] {
        files.file(named: node.position.file).identifiers.dynamicAnchors[name] ?? []
    }

    /// Checks every reference of the document and of the files it refers to.
    ///
    /// Examples, defaults, enumerated values, discriminator mappings and `x-` extensions are data, so a `$ref` in them
    /// isn't checked.
    ///
    /// - Returns: An error for each reference without a target, in document order, with the position of its `$ref`.
    public func checkAll() -> [Diagnostic] {
        var check = ReferenceCheck(resolver: self)
        return check.run()
    }

    /// Returns the error for a chain of references that returns to an earlier one; nil for any other chain.
    func cycle(startingAt node: Node) -> Diagnostic? {
        var current = node
        var seen: Set<CacheKey> = []
        while current.reference != nil, let found = try? found(by: current) {
            guard seen.insert(CacheKey(found)).inserted else { return endless(node) }
            current = found.node
        }
        return nil
    }

    private func endless(_ node: Node) -> Diagnostic {
        Diagnostic(
            .error, "the reference '\(node.reference ?? "")' leads back to itself and never to a value",
            at: node["$ref"]?.position)
    }
}

extension ReferenceResolver {
    /// Looks up one reference; every error gets the position of the `$ref`.
    func found(by reference: Node) throws(Diagnostic) -> Found {
        guard let field = reference["$ref"] else {
            throw Diagnostic(.error, "a reference is an object with '$ref'; found none", at: reference.position)
        }
        guard let text = field.text else {
            throw Diagnostic(.error, "a '$ref' is text; found \(field.kindName)", at: field.position)
        }
        let origin = files.file(named: field.position.file)
        let key = CacheKey(file: origin.name, text: text)
        let result: Result<Found, Diagnostic>
        if let known = cache[key] {
            result = known
        } else {
            var hops = 0
            result = lookup(text, from: origin, hops: &hops)
            cache[key] = result
        }
        do throws(Diagnostic) {
            return try result.get()
        } catch {
            // An error inside another file has its own position; the message needs both.
            var message = error.message
            if let inner = error.position { message += " (at \(inner))" }
            throw Diagnostic(.error, "the reference '\(text)' cannot be followed: \(message)", at: field.position)
        }
    }

    private func lookup(
        _ text: String, from origin: ReferenceFiles.File, hops: inout Int
    ) -> Result<Found, Diagnostic> {
        do throws(Diagnostic) {
            return .success(try locate(ReferenceText(text), from: origin, hops: &hops))
        } catch {
            return .failure(error)
        }
    }

    private func locate(
        _ reference: ReferenceText, from origin: ReferenceFiles.File, hops: inout Int
    ) throws(Diagnostic) -> Found {
        hops += 1
        guard hops <= Self.maximumHops else {
            throw Diagnostic(.error, "it leads through more than \(Self.maximumHops) references")
        }
        var file = origin
        var base = JSONPointer()
        switch reference.place {
        case .sameFile: break
        case .file(let path): file = try self.file(at: path, from: origin)
        case .absolutePath:
            throw Diagnostic(.error, "it is an absolute path; write the path relative to the file that contains it")
        case .url(let url):
            guard let pointer = origin.identifiers.identifiers[url] else {
                throw Diagnostic(
                    .error, "it is a URL, which isn't fetched; save the file beside the document and write its path")
            }
            base = pointer
        }
        guard let pointer = JSONPointer(text: reference.fragment) else {
            guard let anchor = file.identifiers.anchors[reference.fragment] else {
                throw noAnchor(reference.fragment, in: file)
            }
            return try walk(anchor, in: file, hops: &hops)
        }
        return try walk(JSONPointer(base.segments + pointer.segments), in: file, hops: &hops)
    }

    /// Opens a file; if there is none, suggests a component with that name.
    private func file(at path: String, from origin: ReferenceFiles.File) throws(Diagnostic) -> ReferenceFiles.File {
        do throws(Diagnostic) {
            return try files.file(at: path, from: origin)
        } catch {
            let kinds = files.root.root["components"]?.members ?? []
            guard let kind = kinds.first(where: { $0.value[path] != nil }) else { throw error }
            let pointer = JSONPointer(["components", kind.key, path])
            throw Diagnostic(.error, "\(error.message); did you mean '#\(pointer.text)'?")
        }
    }

    /// Follows a pointer; if a node on the way is a reference, continues in its target.
    private func walk(
        _ pointer: JSONPointer, in file: ReferenceFiles.File, hops: inout Int
    ) throws(Diagnostic) -> Found {
        var found = Found(node: file.root, file: file, pointer: JSONPointer())
        for segment in pointer.segments {
            var child = found.child(segment)
            while child == nil, let text = found.node.reference, let field = found.node["$ref"] {
                let origin = files.file(named: field.position.file)
                found = try locate(ReferenceText(text), from: origin, hops: &hops)
                child = found.child(segment)
            }
            guard let child else { throw missing(pointer, segment: segment, after: found, in: file) }
            found.node = child
            found.pointer.segments.append(segment)
        }
        return found
    }

    private func missing(
        _ pointer: JSONPointer, segment: String, after found: Found, in file: ReferenceFiles.File
    ) -> Diagnostic {
        let place = found.pointer.segments.isEmpty ? "the top level" : "'\(found.pointer.text)'"
        let holder = found.file === files.root ? place : "\(place) of \(found.file.name)"
        let hint = suggestions.hint(for: pointer, segment: segment, after: found, isRoot: file === files.root)
        return Diagnostic(.error, "\(holder) has no '\(segment)'\(hint)")
    }

    private func noAnchor(_ fragment: String, in file: ReferenceFiles.File) -> Diagnostic {
        let rooted = JSONPointer(text: "/" + fragment)
        var hops = 0
        if let rooted, let found = try? walk(rooted, in: file, hops: &hops) {
            return Diagnostic(.error, "a pointer begins with '/'; did you mean '#\(found.pointer.text)'?")
        }
        return Diagnostic(.error, "no schema has the '$anchor' '\(fragment)'; a JSON pointer begins with '#/'")
    }
}

extension ReferenceResolver.Found {
    private static let scanLimit = 16

    /// Returns the child that a segment refers to, in constant time for large objects.
    func child(_ segment: String) -> Node? {
        guard case .object(let members) = node.value, members.count > Self.scanLimit else {
            return node.child(segment)
        }
        if let index = file.indexes[pointer] {
            return index[ExactKey(segment)].map { members[$0].value }
        }
        var index: [ExactKey: Int] = [:]
        for (place, member) in members.enumerated() { index[ExactKey(member.key)] = place }
        file.indexes[pointer] = index
        return index[ExactKey(segment)].map { members[$0].value }
    }
}
