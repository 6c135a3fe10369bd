#ifndef NET_CCRYPTO_SHIM_H
#define NET_CCRYPTO_SHIM_H
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

/// Adds an extension in OpenSSL's configuration syntax; 1 on success.
static inline int net_crypto_add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    if (!extension) return 0;
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

/// Creates an unsigned X.509 v3 certificate with a random serial number; NULL on failure. Times are seconds from now.
static inline X509 *net_crypto_new_certificate(EVP_PKEY *key, const char *name, long starts, long ends) {
    X509 *certificate = X509_new();
    BIGNUM *number = BN_new();
    X509_NAME *subject = X509_NAME_new();
    int ok = certificate && number && subject && BN_rand(number, 120, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY)
        && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate))
        && X509_set_version(certificate, 2)
        && X509_gmtime_adj(X509_getm_notBefore(certificate), starts)
        && X509_gmtime_adj(X509_getm_notAfter(certificate), ends)
        && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0)
        && X509_set_subject_name(certificate, subject)
        && X509_set_pubkey(certificate, key);
    X509_NAME_free(subject);
    BN_free(number);
    if (!ok) {
        X509_free(certificate);
        return NULL;
    }
    return certificate;
}

/// Copies the contents of a memory BIO into a string that must be released with `free`; NULL on failure.
static inline char *net_crypto_take_text(BIO *memory) {
    char *source = NULL;
    long length = BIO_get_mem_data(memory, &source);
    if (length <= 0) return NULL;
    char *text = (char *)malloc((size_t)length + 1);
    if (!text) return NULL;
    memcpy(text, source, (size_t)length);
    text[length] = 0;
    return text;
}

static inline char *net_crypto_certificate_pem(X509 *certificate) {
    BIO *memory = BIO_new(BIO_s_mem());
    char *text = memory && PEM_write_bio_X509(memory, certificate) ? net_crypto_take_text(memory) : NULL;
    BIO_free(memory);
    return text;
}

static inline char *net_crypto_key_pem(EVP_PKEY *key) {
    BIO *memory = BIO_new(BIO_s_mem());
    char *text = memory && PEM_write_bio_PrivateKey(memory, key, NULL, NULL, 0, NULL, NULL)
        ? net_crypto_take_text(memory) : NULL;
    BIO_free(memory);
    return text;
}

/// Creates a P-256 authority and a leaf certificate signed by it, as PEM texts that must be released with `free`; 1 on
/// success.
///
/// `names` is a list in the syntax of subjectAltName: `DNS:localhost,IP:127.0.0.1`. Times are seconds from now.
static inline int net_crypto_make_chain(
    const char *common_name, const char *names, long starts, long ends,
    char **authority_pem, char **leaf_pem, char **key_pem) {
    const long year = 31536000L;
    EVP_PKEY *authority_key = EVP_EC_gen("P-256");
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *authority = authority_key
        ? net_crypto_new_certificate(authority_key, "swift-net test authority", -year, 10 * year) : NULL;
    X509 *leaf = key ? net_crypto_new_certificate(key, common_name, starts, ends) : NULL;
    *authority_pem = *leaf_pem = *key_pem = NULL;
    int ok = authority && leaf
        && X509_set_issuer_name(authority, X509_get_subject_name(authority))
        && net_crypto_add_extension(authority, authority, NID_basic_constraints, "critical,CA:TRUE")
        && net_crypto_add_extension(authority, authority, NID_key_usage, "critical,keyCertSign,cRLSign")
        && net_crypto_add_extension(authority, authority, NID_subject_key_identifier, "hash")
        && X509_sign(authority, authority_key, EVP_sha256())
        && X509_set_issuer_name(leaf, X509_get_subject_name(authority))
        && net_crypto_add_extension(leaf, authority, NID_basic_constraints, "critical,CA:FALSE")
        && net_crypto_add_extension(leaf, authority, NID_key_usage, "critical,digitalSignature")
        && net_crypto_add_extension(leaf, authority, NID_ext_key_usage, "serverAuth")
        && net_crypto_add_extension(leaf, authority, NID_authority_key_identifier, "keyid")
        && net_crypto_add_extension(leaf, authority, NID_subject_alt_name, names)
        && X509_sign(leaf, authority_key, EVP_sha256())
        && (*authority_pem = net_crypto_certificate_pem(authority))
        && (*leaf_pem = net_crypto_certificate_pem(leaf))
        && (*key_pem = net_crypto_key_pem(key));
    X509_free(leaf);
    X509_free(authority);
    EVP_PKEY_free(key);
    EVP_PKEY_free(authority_key);
    if (!ok) {
        free(*authority_pem);
        free(*leaf_pem);
        free(*key_pem);
        *authority_pem = *leaf_pem = *key_pem = NULL;
    }
    return ok;
}

/// Reads a key in PEM; NULL if it can't be read. Never asks for a pass phrase.
static inline EVP_PKEY *net_crypto_read_key(const char *pem, int length, int is_private) {
    BIO *memory = BIO_new_mem_buf(pem, length);
    if (!memory) return NULL;
    EVP_PKEY *key = is_private ? PEM_read_bio_PrivateKey(memory, NULL, NULL, (void *)"")
                               : PEM_read_bio_PUBKEY(memory, NULL, NULL, (void *)"");
    BIO_free(memory);
    ERR_clear_error();
    return key;
}

/// Prepares for signing or verification with a hash, which is NULL for Ed25519. Uses PSS padding if the salt is
/// positive.
static inline EVP_MD_CTX *net_crypto_signing(EVP_PKEY *key, const EVP_MD *hash, int salt, int signs) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    EVP_PKEY_CTX *settings = NULL;
    int ok = context && (signs ? EVP_DigestSignInit(context, &settings, hash, NULL, key)
                               : EVP_DigestVerifyInit(context, &settings, hash, NULL, key)) == 1;
    if (ok && salt > 0) {
        ok = EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, salt) == 1;
    }
    if (ok) return context;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return NULL;
}

/// Writes an ECDSA signature as two numbers of `size` bytes each; 1 on success.
static inline int net_crypto_ecdsa_numbers(const unsigned char *der, long length, unsigned char *out, int size) {
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &der, length);
    int ok = signature && BN_bn2binpad(ECDSA_SIG_get0_r(signature), out, size) == size
        && BN_bn2binpad(ECDSA_SIG_get0_s(signature), out + size, size) == size;
    ECDSA_SIG_free(signature);
    return ok;
}

/// Converts an ECDSA signature of two numbers of `size` bytes each to DER, which must be released with `free`. Returns
/// its length, or 0 on failure.
static inline int net_crypto_ecdsa_der(const unsigned char *numbers, int size, unsigned char **der) {
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(numbers, size, NULL);
    BIGNUM *s = BN_bin2bn(numbers + size, size, NULL);
    *der = NULL;
    int length = 0;
    if (signature && r && s && ECDSA_SIG_set0(signature, r, s) == 1) {
        r = s = NULL;
        unsigned char *end = NULL;
        length = i2d_ECDSA_SIG(signature, NULL);
        if (length > 0 && (*der = end = (unsigned char *)malloc((size_t)length))) length = i2d_ECDSA_SIG(signature, &end);
        else length = 0;
    }
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(signature);
    return length > 0 ? length : 0;
}

/// Writes the newest OpenSSL error of this thread as text, and empties the error queue.
static inline void net_crypto_last_error(char *text, size_t capacity) {
    ERR_error_string_n(ERR_peek_last_error(), text, capacity);
    ERR_clear_error();
}
#endif
