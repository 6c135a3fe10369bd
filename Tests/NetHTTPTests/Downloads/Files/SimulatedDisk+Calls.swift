import Foundation
import NetCore
import Synchronization

@testable import NetHTTP

/// The error number of a machine that is off.
let offNumber: CInt = 9_999

extension SimulatedDisk {
    /// Counts a call, and runs it unless it is the one to fail.
    private func call<Value: Sendable>(
        _ kind: Kind, failing: (inout State) -> Void = { _ in }, _ body: (inout State) throws(DiskFailure) -> Value
    ) throws(DiskFailure) -> Value {
        try state.withLock { (state: inout State) -> Result<Value, DiskFailure> in
            guard !state.isEnded else { return .failure(DiskFailure(offNumber)) }
            state.calls += 1
            state.kinds.append(kind)
            if let (number, fault) = state.fault, number == state.calls {
                switch fault {
                case .failure(let error):
                    state.fault = nil
                    failing(&state)
                    return .failure(DiskFailure(error))
                case .lostFlush: return .failure(DiskFailure(EIO))
                case .end:
                    // The last call may still have taken effect on the disk.
                    if state.calls.isMultiple(of: 2) { _ = try? body(&state) }
                    state.isEnded = true
                    return .failure(DiskFailure(offNumber))
                case .shortWrite: break
                }
            }
            do throws(DiskFailure) {
                return .success(try body(&state))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// The kernel's behavior if it can't flush: it marks the bytes as flushed, and another flush succeeds. They can be
    /// read until their memory is needed elsewhere, which here happens immediately.
    private static func drop(_ file: CInt, _ state: inout State) {
        guard let number = state.open[file], var node = state.nodes[number] else { return }
        node.contents = node.durable
        node.pending = []
        state.nodes[number] = node
    }

    func openFolder(path: String, isCreating: Bool) throws(DiskFailure) -> CInt { try call(.open) { _ in 1 } }

    func openFolder(
        _ name: String, in folder: CInt, mode: UInt16?
    ) throws(DiskFailure) -> (folder: CInt, isNew: Bool) {
        try call(.open) { (state) throws(DiskFailure) in
            if let known = state.folders[name] { return (known, false) }
            guard mode != nil else { throw DiskFailure(ENOENT) }
            let descriptor = CInt(state.folders.count + 1)
            state.folders[name] = descriptor
            return (descriptor, true)
        }
    }

    func openFile(
        _ name: String, in folder: CInt, as opening: DiskOpening, mode: UInt16
    ) throws(DiskFailure) -> CInt {
        try call(.open) { (state) throws(DiskFailure) in
            let place = Place(folder: folder, name: name)
            var number = state.names[place]
            if number != nil, opening == .new { throw DiskFailure(EEXIST) }
            if number == nil {
                guard opening != .existing, opening != .reading else { throw DiskFailure(ENOENT) }
                number = state.nextNode
                state.nodes[state.nextNode] = Node()
                Self.rename(Renaming(names: [(place, state.nextNode)]), &state)
                state.nextNode += 1
            }
            state.nextDescriptor += 1
            state.open[state.nextDescriptor] = number
            return state.nextDescriptor
        }
    }

    private static func rename(_ renaming: Renaming, _ state: inout State) {
        apply(renaming, to: &state.names)
        state.renamings.append(renaming)
    }

    func close(_ descriptor: CInt) { state.withLock { $0.open[descriptor] = nil } }

    private static func node(_ file: CInt, _ state: State) throws(DiskFailure) -> UInt64 {
        guard let number = state.open[file] else { throw DiskFailure(EBADF) }
        return number
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: CInt, at offset: Int64) throws(DiskFailure) -> Int {
        let hook = hook.withLock { hook in
            defer { hook = nil }
            return hook
        }
        hook?()
        let array = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
            count = bytes.count
        }
        return try call(.write) { (state) throws(DiskFailure) in
            let number = try Self.node(file, state)
            var count = array.count
            if let (call, fault) = state.fault, call == state.calls, fault == .shortWrite { count = (count + 1) / 2 }
            let room = state.room - Int64(state.nodes[number, default: Node()].contents.count)
            if offset + Int64(count) > state.room, room <= 0 || offset >= state.room { throw DiskFailure(ENOSPC) }
            count = min(count, Int(clamping: state.room - offset))
            let written = array[..<count]
            Self.put(written, into: &state.nodes[number, default: Node()].contents, at: Int(offset), filler: 0)
            state.nodes[number, default: Node()].pending.append(.write(offset: Int(offset), Array(written)))
            return count
        }
    }

    func read(
        into bytes: UnsafeMutableRawBufferPointer, from file: CInt, at offset: Int64
    ) throws(DiskFailure) -> Int {
        let found = try call(.read) { (state) throws(DiskFailure) -> ArraySlice<UInt8> in
            let contents = state.nodes[try Self.node(file, state)]?.contents ?? []
            let start = min(Int(offset), contents.count)
            return contents[start..<min(start + bytes.count, contents.count)]
        }
        found.withUnsafeBytes { bytes.copyMemory(from: $0) }
        return found.count
    }

    func setLength(_ length: Int64, of file: CInt) throws(DiskFailure) {
        try call(.setLength) { (state) throws(DiskFailure) in
            let number = try Self.node(file, state)
            Self.resize(&state.nodes[number, default: Node()].contents, to: Int(length), filler: 0)
            state.nodes[number]?.pending.append(.length(Int(length)))
        }
    }

    func flush(_ file: CInt) throws(DiskFailure) {
        func secure(_ state: inout State) throws(DiskFailure) {
            let number = try Self.node(file, state)
            guard var node = state.nodes[number] else { return }
            node.durable = node.contents
            node.pending = []
            state.nodes[number] = node
        }
        try call(.flush, failing: { Self.drop(file, &$0) }, secure)
    }

    func flushFolder(_ folder: CInt) throws(DiskFailure) {
        try call(.flush) { state in
            var rest: [Renaming] = []
            for renaming in state.renamings {
                if renaming.names.contains(where: { $0.place.folder == folder }) {
                    Self.apply(renaming, to: &state.durableNames)
                } else {
                    rest.append(renaming)
                }
            }
            state.renamings = rest
        }
    }

    func status(of file: CInt) throws(DiskFailure) -> DiskStatus {
        try call(.other) { (state) throws(DiskFailure) in
            Self.status(try Self.node(file, state), state)
        }
    }

    func status(of name: String, in folder: CInt) throws(DiskFailure) -> DiskStatus? {
        try call(.other) { state in
            state.names[Place(folder: folder, name: name)].map { Self.status($0, state) }
        }
    }

    private static func status(_ number: UInt64, _ state: State) -> DiskStatus {
        let links = state.names.values.count { $0 == number }
        return DiskStatus(
            length: Int64(state.nodes[number]?.contents.count ?? 0), isRegular: true, number: number, links: links,
            modified: state.nodes[number]?.modified ?? 0, changed: 0)
    }

    func move(
        _ name: String, in folder: CInt, to target: String, in targetFolder: CInt, isReplacing: Bool
    ) throws(DiskFailure) {
        try call(.move) { (state) throws(DiskFailure) in
            let (from, to) = (Place(folder: folder, name: name), Place(folder: targetFolder, name: target))
            guard let number = state.names[from] else { throw DiskFailure(ENOENT) }
            guard isReplacing || state.names[to] == nil else { throw DiskFailure(EEXIST) }
            Self.rename(Renaming(names: [(from, nil), (to, number)]), &state)
        }
    }

    func remove(_ name: String, in folder: CInt) throws(DiskFailure) {
        try call(.remove) { (state) throws(DiskFailure) in
            let place = Place(folder: folder, name: name)
            guard state.names[place] != nil else { throw DiskFailure(ENOENT) }
            Self.rename(Renaming(names: [(place, nil)]), &state)
        }
    }

    func lock(_ file: CInt) throws(DiskFailure) -> Bool { try call(.other) { _ in true } }
    func totalBytes(of folder: CInt) throws(DiskFailure) -> Int64 { .max }

    func freeBytes(of folder: CInt) throws(DiskFailure) -> Int64 { try call(.other) { $0.room } }

    func setModified(_ seconds: Int64, of file: CInt) throws(DiskFailure) {
        try call(.other) { (state) throws(DiskFailure) in
            state.nodes[try Self.node(file, state)]?.modified = seconds * 1_000_000_000
        }
    }

    func names(in folder: CInt) throws(DiskFailure) -> [String] {
        try call(.other) { state in state.names.keys.filter { $0.folder == folder }.map(\.name) }
    }
}
