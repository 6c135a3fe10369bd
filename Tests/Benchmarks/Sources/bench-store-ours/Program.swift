internal import Glibc
internal import LoadDriver

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Measures an activity store and prints the figures as a line of JSON.
///
///     bench-store-ours make FILE              creates the tables
///     bench-store-ours write FILE CALLS       writes that many calls into a new file
///     bench-store-ours bodies FILE CALLS      the same with bodies of 2 KB, through a client
///     bench-store-ours call FILE CALLS        the cost of a listener for the caller of a client
///     bench-store-ours ask FILE ROUNDS        the duration of queries
///     bench-store-ours load FILE SECONDS [ENTRIES]  2,000 calls a second, while all but the last ENTRIES are deleted
///     bench-store-ours follow FILE CALLS      waits for the calls that another process commits, and then for none
///     bench-store-ours commit FILE CALLS      commits them, a few at a time
@main
enum Program {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            guard words.count >= 2 else { throw UnexpectedAnswer("MODE FILE and more are needed") }
            let (file, count) = (words[1], words.count > 2 ? Int(words[2]) ?? 0 : 0)
            switch words[0] {
            case "make": try await Writing.make(file)
            case "write": try report(await Writing.run(file, calls: count))
            case "bodies": try report(await Bodies.run(file, calls: count))
            case "call": try report(await Calling.run(file, calls: count))
            case "ask": try report(await Asking.run(file, rounds: count))
            case "load":
                try report(await Loading.run(file, seconds: count, keeping: words.count > 3 ? Int(words[3]) : nil))
            case "follow": try report(await Following.follow(file, calls: count))
            case "commit": try report(await Following.commit(file, calls: count))
            default: throw UnexpectedAnswer("there is no mode \(words[0])")
            }
        } catch {
            print("bench-store-ours: \(error)")
            exit(1)
        }
    }

    private static func report(_ figures: some Encodable) throws {
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    }
}
