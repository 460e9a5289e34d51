import { expect, test } from 'vitest'
import { isSignedBy, sign } from '../../src/secrets/signature.ts'
import { hashToken, newToken } from '../../src/secrets/token.ts'

test('a token is its prefix and 32 random characters', () => {
  const tokens = Array.from({ length: 100 }, newToken)
  for (const token of tokens) expect(token).toMatch(/^bsvc_[0-9A-Za-z]{32}$/)
  expect(new Set(tokens).size).toBe(100)
})

test('the stored hash of a token does not reveal the token', () => {
  const token = newToken()
  expect(hashToken(token)).toMatch(/^[0-9a-f]{64}$/)
  expect(hashToken(token)).toBe(hashToken(token))
})

// The code host's own example, from its guide to validating webhooks.
test('a signature is the one that the code host computes', () => {
  const body = Buffer.from('Hello, World!')
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
  expect(sign("It's a Secret to Everybody", body)).toBe(signature)
  expect(isSignedBy("It's a Secret to Everybody", body, signature)).toBe(true)
})

test.each(['', 'sha256=', 'sha1=757107ea', `sha256=${'0'.repeat(64)}`, 'ü'.repeat(71)])(
  'the signature %j is rejected',
  (given) => {
    expect(isSignedBy('secret', Buffer.from('Hello'), given)).toBe(false)
  },
)
