#if Server
internal import CCrypto

/// Re-signs a certificate with its own key. Takes and returns PEM text; nil if OpenSSL reports an error.
func selfSigned(_ leaf: String, key: String) -> String? {
    guard let certificate = reading(leaf, { PEM_read_bio_X509($0, nil, nil, nil) }) else { return nil }
    defer { X509_free(certificate) }
    guard let pair = reading(key, { PEM_read_bio_PrivateKey($0, nil, nil, nil) }) else { return nil }
    defer { EVP_PKEY_free(pair) }
    // The extension names the authority's key, which is no longer involved.
    let place = X509_get_ext_by_NID(certificate, NID_authority_key_identifier, -1)
    if place >= 0 { X509_EXTENSION_free(X509_delete_ext(certificate, place)) }
    guard X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1,
        X509_sign(certificate, pair, EVP_sha256()) > 0, let text = net_crypto_certificate_pem(certificate)
    else { return nil }
    defer { free(text) }
    return String(cString: text)
}

/// Calls `read` on a text, which OpenSSL doesn't copy.
private func reading(_ text: String, _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
    text.withCString { start in
        guard let memory = BIO_new_mem_buf(start, Int32(text.utf8.count)) else { return nil }
        defer { BIO_free(memory) }
        return read(memory)
    }
}
#endif
