internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension DiskCacheFolder {
    /// The files of one key.
    private struct Group {
        var hasHead = false
        var used: Int64 = 0
        var bytes: Int64 = 0
        var bodies: [(name: String, bytes: Int64)] = []
    }

    /// Walks the folder: removes unreferenced files, and then the least recently used entries until there is room, or
    /// until at most `limit` bytes remain. Recomputes the count. The lock must be held.
    func sweep(_ count: inout Count, making room: Int64 = 0, to limit: Int64? = nil) {
        var groups: [String: Group] = [:]
        var total = Self.countFileBytes
        for name in names() {
            let path = "\(path)/\(name)"
            guard let file = DiskCacheFile.open(path), let (length, used) = file.status else { continue }
            if name.hasSuffix(".draft") {
                // A draft whose lock is free has no writer: the process died.
                if file.lock() { unlink(path) } else { total += length }
            } else if name.hasSuffix(".head") {
                groups[String(name.dropLast(5)), default: Group()].hasHead = true
                groups[String(name.dropLast(5)), default: Group()].used = used
                groups[String(name.dropLast(5)), default: Group()].bytes += length
            } else if name.hasSuffix(".body"), let dash = name.firstIndex(of: "-") {
                groups[String(name[..<dash]), default: Group()].bodies.append((name, length))
                groups[String(name[..<dash]), default: Group()].bytes += length
            } else if name != "count", name != "secret" {
                total += length
            }
        }
        for (name, group) in groups { groups[name] = withoutStrays(name, group) }
        total += groups.values.reduce(0) { $0 + $1.bytes }
        // Computed in two parts, since the limit may be the largest integer.
        let (hundreds, rest) = maximumBytes.quotientAndRemainder(dividingBy: 100)
        let target =
            limit ?? min(maximumBytes - room, hundreds * Self.keptHundredths + rest * Self.keptHundredths / 100)
        if total > limit ?? maximumBytes - room {
            for (name, group) in groups.sorted(by: { $0.value.used < $1.value.used }) where total > target {
                // The head first: a body without a head is useless.
                unlink(headPath(name))
                for body in group.bodies { unlink("\(path)/\(body.name)") }
                total -= group.bytes
            }
        }
        count.set(total)
    }

    /// Removes bodies that no head refers to.
    private func withoutStrays(_ name: String, _ group: Group) -> Group {
        guard !group.hasHead || group.bodies.count > 1 else { return group }
        var named: Set<String> = []
        if group.hasHead, let file = DiskCacheFile.open(headPath(name)), let length = file.status?.length,
            length <= 16 << 20, let bytes = file.read(at: 0, count: Int(length)),
            let entries = decoded(bytes)?.entries
        {
            named = Set(entries.map { "\(name)-\($0.id.rawValue.paddedHexadecimal).body" })
        }
        var group = group
        for body in group.bodies where !named.contains(body.name) {
            unlink("\(path)/\(body.name)")
            group.bytes -= body.bytes
        }
        group.bodies.removeAll { !named.contains($0.name) }
        return group
    }

    /// The names of all files.
    func names() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
