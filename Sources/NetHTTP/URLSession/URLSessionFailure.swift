#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore

/// Converts URLSession's errors to `NetError`.
enum URLSessionFailure {
    /// Returns the error of an attempt that had reached `phase`.
    static func error(
        _ error: any Error, host: String, phase: NetError.Phase, context: CallContext
    ) -> NetError {
        guard let error = error as? URLError else {
            return context.error(.unknown, phase: phase, message: "URLSession failed: \(type(of: error))")
        }
        let verdict = verdict(error.code, reason: error.localizedDescription, host: host, phase: phase)
        // The other values of the error contain the whole URL, including secrets.
        return context.error(
            verdict.code, phase: verdict.phase, message: verdict.message, underlying: URLError(error.code))
    }

    /// Returns the meaning of an error code; `current` is the phase that the attempt had reached, used if the code
    /// doesn't imply one.
    static func verdict(
        _ code: URLError.Code, reason: String, host: String, phase current: NetError.Phase
    ) -> (code: NetError.Code, phase: NetError.Phase, message: String) {
        URLLoadingFailure.verdict(code.rawValue, reason: reason, host: host, phase: current)
    }
}
#endif
