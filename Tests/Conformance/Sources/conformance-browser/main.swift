import ConformanceSupport
import Foundation

#if Server
// conformance-browser BROWSER PROGRAM FOLDER [FILE]: opens the chat that PROGRAM serves in a headless Chromium, saves
// screenshots in FOLDER, and the results as JSON in FILE. If there is a redis-server in the PATH, two servers of the
// chat share it.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else { stop("browser", "usage: conformance-browser BROWSER PROGRAM FOLDER [FILE]") }
var results: [CaseResult] = []
do {
    let browser = try await Browser.start(arguments[0])
    let pictures = URL(filePath: arguments[2])
    for isCompressing in [true, false] {
        let checks = await ChatRun.run(
            browser, program: arguments[1], isCompressing: isCompressing, pictures: isCompressing ? pictures : nil)
        results += checks.results
    }
    results += await ServersRun.run(browser, program: arguments[1], pictures: pictures).results
    await browser.stop()
} catch {
    stop("browser", "the browser doesn't start: \(error)")
}
finish("browser", results, isShown: true, output: arguments.dropFirst(3).first)
#else
stop("browser", "build it with the trait Server")
#endif
