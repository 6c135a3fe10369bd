import Glibc
import NetSocketServer

/// Decodes the command and encodes its response, without a server.
func measureCoding() throws {
    let request = #"{"id":123456,"text":"Hello, how are you?"}"#
    let count = 200_000
    try run(request, count / 20)
    let start = clock(CLOCK_MONOTONIC)
    let startCPU = clock(CLOCK_PROCESS_CPUTIME_ID)
    try run(request, count)
    let seconds = clock(CLOCK_MONOTONIC) - start
    let cpuSeconds = clock(CLOCK_PROCESS_CPUTIME_ID) - startCPU
    print(#"{"messages":\#(count),"seconds":\#(seconds),"cpuSeconds":\#(cpuSeconds)}"#)
}

private func run(_ request: String, _ count: Int) throws {
    for _ in 0..<count {
        let say = try SocketPayload(json: request).decoded(as: Say.self)
        guard try SocketPayload(Say.Response(id: say.id, text: say.text)).count == request.utf8.count else { exit(1) }
    }
}

private func clock(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
