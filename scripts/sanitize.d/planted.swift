// Defects that the sanitizers must report, and correct code that they mustn't. scripts/sanitize builds and runs it before the tests.
//
//   planted race | locked | resumed | use-after-free
import Glibc
import Synchronization

/// `@unchecked Sendable`: on purpose, it's unprotected.
final class Unprotected: @unchecked Sendable {
    var count = 0
}

final class Protected: Sendable {
    let numbers = Mutex<[Int]>([])
    let triedNumbers = Mutex<[Int]>([])
}

/// Runs the body many times in several threads.
func inParallel(_ body: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
            group.addTask { for number in 0..<5_000 { body(number) } }
        }
    }
}

func append(_ number: Int, to numbers: inout [Int]) {
    if numbers.count > 50 { numbers.removeAll() }
    numbers.append(number)
}

switch CommandLine.arguments.dropFirst().first {
case "race":
    let unprotected = Unprotected()
    await inParallel { _ in unprotected.count += 1 }
    print(unprotected.count)
case "locked":
    // Threads wait for each other here, so both paths of the mutex are taken.
    let protected = Protected()
    await inParallel { number in
        protected.numbers.withLock { append(number, to: &$0) }
        _ = protected.triedNumbers.withLockIfAvailable { append(number, to: &$0) }
    }
    print(protected.numbers.withLock { $0.count })
case "resumed":
    // Another thread resumes each continuation before its task waits.
    for _ in 0..<10 {
        let unprotected = Unprotected()
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            Task.detached {
                unprotected.count = 1
                continuation.resume()
            }
            usleep(3_000)
        }
        print(unprotected.count)
    }
case "use-after-free":
    let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    number.initialize(to: 1)
    number.deallocate()
    print(number.pointee)
default:
    print("usage: planted race | locked | resumed | use-after-free")
}
