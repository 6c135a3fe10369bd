internal import NetCore

extension DownloadQueue {
    enum Phase: Sendable, Hashable {
        /// The journal is being written.
        case adding(isPaused: Bool)
        case ready
        case running
        case stopping(Stop)
        /// Waiting for the network.
        case waiting
        case paused
        case completed
        case failed
    }

    /// The reason why a download was asked to stop.
    enum Stop: Sendable, Hashable {
        case paused
        /// To restart and continue, immediately if that's allowed.
        case again
        case cancelled
    }

    /// The way in which a run ended.
    enum Ending: Sendable, Hashable {
        case completed
        case failed
        /// The run was stopped, and its progress was noted.
        case stopped
        /// The download can continue once the network is back.
        case noNetwork
    }

    enum Refusal: Error, Sendable, Hashable {
        case isQueued(ID)
        case isFull
    }

    /// An action for the owner of the queue; actions are in order.
    enum Action: Sendable, Hashable {
        /// The state that observers see has changed.
        case changed(ID, DownloadState)
        case start(ID)
        case stop(ID)
        /// Remove the download and its partial file.
        case remove(ID)
    }
}
