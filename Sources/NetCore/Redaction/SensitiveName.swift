/// Compares names of values with the names of a policy, without regard to case, `_` and `-`.
enum SensitiveName {
    /// The values of a name that are hidden.
    enum Verdict: Int, Sendable {
        case shown
        /// Everything, with all members of an object.
        case hidden
        /// Only texts, and those in an array: `tokens` may be a number of tokens, and `webhook` an object that describes
        /// one.
        case hiddenText
    }

    /// Names that keep their meaning behind any prefix, even within one word, and in the plural: `dbPassword`,
    /// `user-otp`, `smtppassword`, `access_tokens`. They count only if the policy contains them.
    static let endings: Set<String> = [
        "password", "passwords", "passwd", "passphrase", "passcode", "pwd", "password_hash", "password_digest",
        "password_confirmation", "password_confirm", "password_repeat", "password_again", "password_new",
        "password_old", "password_current", "password_check", "password_verification", "password_value",
        "secret", "secrets", "secret_key", "secret_access_key", "secret_id", "secret_value", "secret_string",
        "secret_text", "secret_data", "token", "token_value", "token_hash", "jwt", "api_key", "api_keys", "access_key",
        "access_key_id", "private_key", "auth_key", "shared_key", "signing_key", "encryption_key", "master_key",
        "account_key", "subscription_key", "function_key", "functions_key", "session_key", "session_id", "otp", "totp",
        "otp_code", "totp_code", "mfa_code", "tfa_code", "2fa_code", "two_factor_code", "one_time_code",
        "verification_code", "security_code", "auth_code", "authorization_code", "device_code", "recovery_code",
        "recovery_codes", "backup_code", "backup_codes", "access_code", "login_code", "confirmation_code",
        "activation_code", "reset_code", "sms_code", "pin_code", "cvv", "cvc", "ssn", "social_security_number",
        "card_number", "credit_card", "cc_number", "credential", "credentials", "authorization", "cookie", "assertion",
        "saml_response", "hmac", "hmac_sha", "code_verifier", "recovery_phrase", "seed_phrase", "mnemonic", "signature",
        "signature_ed", "signature_sha",
        // Keys of applications, services and accounts.
        "application_key", "app_key", "consumer_key", "client_key", "server_key", "service_key", "write_key",
        "license_key", "licence_key", "deploy_key", "developer_key", "dev_key", "integration_key", "admin_key",
        "insert_key", "ingest_key", "ingestion_key", "root_key", "webhook_key",
        // Connection strings contain a password.
        "connection_string", "connection_uri", "connection_url", "conn_string", "conn_str", "database_url",
        "database_uri", "db_url", "db_uri", "redis_url", "redis_uri", "mongo_url", "mongo_uri", "mongodb_url",
        "mongodb_uri", "postgres_url", "postgres_uri", "postgresql_url", "mysql_url", "amqp_url", "amqp_uri",
        "broker_url", "broker_uri", "rabbitmq_url", "jdbc_url", "smtp_url",
        // Addresses that are secrets themselves: who knows them may use them.
        "webhook", "webhook_url", "webhook_uri", "webhook_address", "webhook_link", "hook_url", "presigned_url",
        "signed_url", "sas_url", "sas_uri", "magic_link", "magic_url", "reset_link", "reset_url", "invite_link",
        "invite_url", "invitation_link", "invitation_url", "activation_link", "activation_url", "confirmation_link",
        "confirmation_url", "login_link", "verification_link", "recovery_link", "recovery_url", "one_time_link",
        "one_time_url",
    ]

    /// Names that keep their meaning behind a prefix only as a separate word: `userPin`, `db_pass`; not `spin`,
    /// `compass`.
    static let words: Set<String> = ["pin", "pass", "auth", "dsn", "sig"]

    /// Names that end like a secret and aren't one.
    private static let exceptions = Endings([
        // Positions in a list.
        "page_token", "next_token", "continuation_token", "pagination_token", "cursor_token", "skip_token",
        "delta_token", "sync_token", "forward_token", "backward_token", "previous_token", "prev_token",
        "starting_token",
        // Numbers of the pieces of a text.
        "max_token", "min_token", "total_token", "num_token", "prompt_token", "completion_token", "input_token",
        "output_token", "cached_token", "reasoning_token", "used_token", "remaining_token", "budget_token",
        "thinking_token", "audio_token", "image_token", "text_token",
        "method_signature", "function_signature", "type_signature", "call_signature", "email_signature",
        "mail_signature", "time_signature", "key_signature", "of_signature", "customer_signature", "collect_signature",
        "imdb_url", "tmdb_url", "tvdb_url", "preset_url", "preset_link", "assigned_url", "designed_url", "unsigned_url",
    ])

    private static let allEndings = Endings(endings)

    /// Names whose objects and numbers are shown: numbers of tokens or of assertions, and descriptions of webhooks and
    /// authorizations.
    private static let texts: Set<String> = ["token", "assertion", "authorization", "signature", "webhook"]

    /// Tokens whose plural can't be a number of them.
    private static let secretTokens = Endings([
        "access_token", "refresh_token", "auth_token", "api_token", "bearer_token", "id_token", "session_token",
        "csrf_token", "xsrf_token", "device_token", "push_token", "user_token", "bot_token", "oauth_token",
        "personal_token", "secret_token", "security_token", "registration_token", "reset_token", "login_token",
        "client_token", "app_token",
    ])

    /// Returns the name in lowercase, without `_` and `-`.
    static func folded(_ name: some StringProtocol) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// Returns true if a name is one of the folded `names`, or ends in one of them.
    static func matches(_ name: some StringProtocol, _ names: Set<String>) -> Bool {
        verdict(name, names) != .shown
    }

    /// Returns the same for a name that is already folded, so its word boundaries are unknown.
    static func matches(folded name: String, _ names: Set<String>) -> Bool {
        names.contains(name) || ending(of: name, in: names) != .shown
    }

    /// Returns which values of a name are hidden.
    static func verdict(_ name: some StringProtocol, _ names: Set<String>) -> Verdict {
        let folded = folded(name)
        let verdict = ending(of: folded, in: names)
        if verdict != .shown { return verdict }
        return names.contains(folded) || endsInWord(Substring(name).utf8, names) ? .hidden : .shown
    }

    /// Returns true if a name ends in one of the folded `names` that is also one of ``endings`` or ``words``. Digits
    /// at its end are ignored: `password2`.
    static func ends(_ name: some StringProtocol, in names: Set<String>) -> Bool {
        ending(of: folded(name), in: names) != .shown || endsInWord(Substring(name).utf8, names)
    }

    private static func ending(of folded: String, in names: Set<String>) -> Verdict {
        let base = withoutNumber(folded.utf8)
        if words.contains(where: { base.elementsEqual($0.utf8) && names.contains($0) }) { return .hidden }
        if let ending = allEndings.first(of: base, where: names.contains) {
            if exceptions.first(of: base) != nil { return .shown }
            return ending == "webhook" ? .hiddenText : .hidden
        }
        guard base.last == UInt8(ascii: "s") else { return .shown }
        let singular = base.dropLast()
        guard let ending = allEndings.first(of: singular, where: names.contains),
            exceptions.first(of: singular) == nil
        else { return .shown }
        return texts.contains(ending) && secretTokens.first(of: singular) == nil ? .hiddenText : .hidden
    }

    private static func withoutNumber(_ text: String.UTF8View) -> Substring.UTF8View {
        var end = text.endIndex
        while end > text.startIndex, isDigit(text[text.index(before: end)]) { end = text.index(before: end) }
        return text[..<end]
    }

    /// Returns true if the last word of a name, after a separator or a change of case, is one of ``words``.
    private static func endsInWord(_ name: Substring.UTF8View, _ names: Set<String>) -> Bool {
        var name = name
        while let last = name.last, isDigit(last) || isSeparator(last) { name.removeLast() }
        return words.contains { word in
            guard names.contains(word), name.count > word.utf8.count else { return false }
            let tail = name.suffix(word.utf8.count)
            guard zip(tail, word.utf8).allSatisfy({ $0 | 0x20 == $1 }), let first = tail.first,
                let before = name.dropLast(word.utf8.count).last
            else { return false }
            // An acronym is a run of capitals: the P of APIPass begins a word, but that of COMPASS doesn't.
            let beginsWord = isCapital(first) && (!isCapital(before) || !tail.dropFirst().allSatisfy(isCapital))
            return !isLetter(before) || beginsWord
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    private static func isCapital(_ byte: UInt8) -> Bool { (65...90).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") }
}
