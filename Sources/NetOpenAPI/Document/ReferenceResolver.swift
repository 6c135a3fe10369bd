/// Finds what every `$ref` of a document points to: any JSON pointer or `$anchor`, in the document or in the files
/// around it.
///
/// Files are read once and kept. None is read outside the document's reference folder, and no URL is ever fetched.
///
///     let resolver = ReferenceResolver(document: document)
///     let schema = try resolver.resolve(parameter["schema"] ?? parameter)
///
/// A relative reference counts from the file its node's position names, so nodes of every file can be passed as they
/// come.
public final class ReferenceResolver {
    /// A place that was found.
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

    /// How many references one lookup may pass through; a longer chain is a cycle or a joke.
    static let maximumHops = 64

    let files: ReferenceFiles
    private var cache: [CacheKey: Result<Found, Diagnostic>] = [:]
    private var suggestions = ReferenceSuggestions()

    /// Starts with the document alone; other files are read when a reference leads to them.
    ///
    /// - Parameter loader: Reads those files; give it the limits the document was loaded with.
    public init(document: Document, loader: DocumentLoader = DocumentLoader()) {
        self.files = ReferenceFiles(document: document, loader: loader)
    }

    /// What was noticed in the files that references led to, duplicate keys for example.
    public var warnings: [Diagnostic] { files.warnings }

    /// What a reference points to, one step far: the target may be a reference again.
    ///
    /// - Parameter reference: An object with `$ref`.
    /// - Throws: An error at the `$ref` when it is not text, points to nothing, leaves the folder or is a URL.
    public func target(of reference: Node) throws(Diagnostic) -> ResolvedReference {
        let found = try found(by: reference)
        return ResolvedReference(
            node: found.node, file: found.file.name, pointer: found.pointer.text, name: found.pointer.segments.last)
    }

    /// The first node on the chain of references that is none, the node itself when it is no reference.
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

    /// The places in a node's file that call themselves so with `$dynamicAnchor`.
    func dynamicAnchors(_ name: String, inFileOf node: Node) -> [JSONPointer] {
        files.file(named: node.position.file).identifiers.dynamicAnchors[name] ?? []
    }

    /// Every reference of the document, and of the files it leads to, that points to nothing.
    ///
    /// Examples, defaults, enumerated values, discriminator mappings and `x-` extensions are data, so a `$ref` in them is
    /// not looked at.
    ///
    /// - Returns: An error for each, in document order, with the place of its `$ref`.
    public func checkAll() -> [Diagnostic] {
        var check = ReferenceCheck(resolver: self)
        return check.run()
    }

    /// The error for a chain of references that returns to where it was; nil for any other chain.
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
    /// Looks one reference up; every error gets the place of the `$ref`.
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
            // An error inside a file that was read has its own place; the reader of the message needs both.
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

    /// Opens a file; where there is none, a bare name may have meant a component.
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

    /// Follows a pointer; where it goes through a node that is a reference itself, it goes on in that one's target.
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

    /// The child a segment names, found in constant time in large objects.
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
