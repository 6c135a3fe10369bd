import Foundation
import NetCore
import Synchronization

@testable import NetHTTP

/// A disk in memory that can lose power, and then loses any part of the unflushed data.
///
/// An unflushed write is kept or lost by sectors of 512 bytes, and a part by which a file grew without having been
/// written contains garbage. Unflushed names are kept or lost one change at a time. One call can fail, or be the last
/// one before the end.
final class SimulatedDisk: DownloadDisk, Sendable {
    /// The effect on the call with a given number.
    enum Fault: Sendable, Hashable {
        case failure(CInt)
        /// A flush that fails, after which the bytes can still be read.
        case lostFlush
        /// A write that accepts only some of the bytes.
        case shortWrite
        /// From this call on, no call takes effect.
        case end
    }

    /// The kinds of counted calls, distinguished by their possible faults.
    enum Kind: Sendable, Hashable { case open, read, write, setLength, flush, move, remove, other }

    struct Node {
        var contents: [UInt8] = []
        /// The contents that are certainly on the disk.
        var durable: [UInt8] = []
        var pending: [Change] = []
        var modified: Int64 = 0
    }

    enum Change {
        case write(offset: Int, [UInt8])
        case length(Int)
    }

    struct Place: Hashable {
        let folder: CInt
        let name: String
    }

    /// A change of names: afterward, either all of these files have these names or none.
    struct Renaming {
        let names: [(place: Place, node: UInt64?)]
    }

    struct State {
        var boot = 1
        var nodes: [UInt64: Node] = [:]
        var names: [Place: UInt64] = [:]
        var durableNames: [Place: UInt64] = [:]
        var renamings: [Renaming] = []
        /// Folders have fixed descriptors, and are never lost.
        var folders: [String: CInt] = ["": 1]
        var open: [CInt: UInt64] = [:]
        var nextDescriptor: CInt = 1_000
        var nextNode: UInt64 = 1
        var calls = 0
        var kinds: [Kind] = []
        var fault: (call: Int, Fault)?
        var isEnded = false
        var room: Int64 = .max
    }

    let state = Mutex(State())
    /// Called once, during a write.
    let hook = Mutex<(@Sendable () -> Void)?>(nil)

    /// The file of the only journal.
    var journalNumber: UInt64? {
        state.withLock { state in state.names.first { $0.key.name.hasSuffix(".journal") }?.value }
    }

    var bootID: String { state.withLock { "boot \($0.boot)" } }
    /// The number of calls so far.
    var calls: Int { state.withLock { $0.calls } }
    var kinds: [Kind] { state.withLock { $0.kinds } }

    /// Makes a call misbehave; the number is counted from now.
    func fail(call: Int, _ fault: Fault) { state.withLock { $0.fault = ($0.calls + call, fault) } }
    func repair() { state.withLock { $0.fault = nil } }

    /// Ends the process; the machine continues.
    func endProcess() {
        state.withLock { state in
            state.open = [:]
            (state.fault, state.isEnded) = (nil, false)
        }
    }

    /// The machine loses power and restarts.
    func losePower(_ random: SmallRandom) {
        var random = random
        endProcess()
        state.withLock { state in
            state.boot += 1
            // Sometimes all or nothing is lost.
            let kept = [0, 10, 50, 90, 100][random.below(5)]
            for (number, var node) in state.nodes where !node.pending.isEmpty {
                for change in node.pending { Self.keep(change, of: &node.durable, kept, &random) }
                node.pending = []
                node.contents = node.durable
                state.nodes[number] = node
            }
            for renaming in state.renamings where random.below(100) < kept {
                Self.apply(renaming, to: &state.durableNames)
            }
            state.renamings = []
            state.names = state.durableNames
        }
    }

    private static func keep(_ change: Change, of bytes: inout [UInt8], _ kept: Int, _ random: inout SmallRandom) {
        switch change {
        case .length(let length):
            if random.below(100) < kept { resize(&bytes, to: length, filler: 0) }
        case .write(let offset, let new):
            var start = 0
            while start < new.count {
                let end = min(new.count, (offset + start) / 512 * 512 + 512 - offset)
                if random.below(100) < kept { put(new[start..<end], into: &bytes, at: offset + start, filler: 0xee) }
                start = end
            }
        }
    }

    static func resize(_ bytes: inout [UInt8], to length: Int, filler: UInt8) {
        if bytes.count > length { bytes.removeLast(bytes.count - length) }
        let missing = length - bytes.count
        guard missing > 0 else { return }
        // Ten thousand runs in a debug build: bytes are filled, copied and compared in blocks.
        bytes += [UInt8](unsafeUninitializedCapacity: missing) { buffer, count in
            buffer.baseAddress.map { _ = memset($0, Int32(filler), missing) }
            count = missing
        }
    }

    static func put(_ new: ArraySlice<UInt8>, into bytes: inout [UInt8], at offset: Int, filler: UInt8) {
        let end = offset + new.count
        if bytes.count < end { resize(&bytes, to: end, filler: filler) }
        guard !new.isEmpty else { return }
        bytes.withUnsafeMutableBytes { target in
            new.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<end]).copyMemory(from: source)
            }
        }
    }

    static func apply(_ renaming: Renaming, to names: inout [Place: UInt64]) {
        for (place, node) in renaming.names { names[place] = node }
    }

    /// Returns the contents of a file by its path below the folder; nil if there is none.
    func contents(_ name: String, in folder: String = "") -> [UInt8]? {
        state.withLock { state in
            guard let folder = state.folders[folder] else { return nil }
            return state.names[Place(folder: folder, name: name)].flatMap { state.nodes[$0]?.contents }
        }
    }

    /// Returns the names in a folder.
    func names(in folder: String) -> [String] {
        state.withLock { state in
            guard let folder = state.folders[folder] else { return [] }
            return state.names.keys.filter { $0.folder == folder }.map(\.name)
        }
    }

    /// Creates a file, flushed.
    func put(_ contents: [UInt8], as name: String) {
        state.withLock { state in
            let number = state.nextNode
            state.nextNode += 1
            state.nodes[number] = Node(contents: contents, durable: contents)
            let place = Place(folder: 1, name: name)
            (state.names[place], state.durableNames[place]) = (number, number)
        }
    }
}

/// A fast generator for tests that draw millions of numbers (xorshift64*).
struct SmallRandom: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = (seed &+ 1) &* 0x9e37_79b9_7f4a_7c15
        for _ in 0..<4 { _ = next() }
    }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_f491_4f6c_dd1d
    }

    /// Returns a number from 0 to `limit` - 1.
    mutating func below(_ limit: Int) -> Int { Int((next() >> 33) % UInt64(limit)) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
