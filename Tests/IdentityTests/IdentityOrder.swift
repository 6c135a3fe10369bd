import Foundation
import NetCore
import NetHTTP
import NetTesting

/// An order of middleware: as documented, its reverse, or shuffled by a seed.
struct IdentityOrder: Sendable, CustomStringConvertible {
    private enum Kind: Sendable {
        case documented, reverse
        case shuffled(UInt64)
    }

    private let kind: Kind

    /// All orders for `scripts/conformance identity`, else a sample.
    static let all: [IdentityOrder] = {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["NET_IDENTITY_SEED"].flatMap { UInt64($0) }
        let shuffled = seed.map { seed in (0..<10).map { seed &* 100 &+ $0 } } ?? [1, 2]
        return [IdentityOrder(kind: .documented), IdentityOrder(kind: .reverse)]
            + shuffled.map { IdentityOrder(kind: .shuffled($0)) }
    }()

    var description: String {
        switch kind {
        case .documented: "documented"
        case .reverse: "reverse"
        case .shuffled(let seed): "shuffled \(seed)"
        }
    }

    /// Arranges middleware that is given in the documented order.
    func arrange(_ middleware: [any Middleware]) -> [any Middleware] {
        switch kind {
        case .documented: return middleware
        case .reverse: return middleware.reversed()
        case .shuffled(let seed):
            let random = SeededRandom(seed: seed).netRandom
            var (rest, result) = (middleware, [any Middleware]())
            while !rest.isEmpty { result.append(rest.remove(at: Int(random.next() % UInt64(rest.count)))) }
            return result
        }
    }
}
