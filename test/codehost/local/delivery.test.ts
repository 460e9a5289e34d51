import { expect, test } from 'vitest'
import { guidOf, signedDelivery } from '../../../src/codehost/local/delivery.ts'
import { isSignedBy } from '../../../src/secrets/signature.ts'

const change = { ref: 'refs/heads/main', before: 'a', after: 'b', changes: 1 }

test('a delivery is signed over its exact bytes', () => {
  const body = Buffer.from('{"ref":"refs/heads/gr\u00F6\u00DFe"}')
  const headers = signedDelivery('secret', { guid: 'a-guid', event: 'push', body })
  expect(headers).toEqual({
    'content-type': 'application/json',
    'x-github-delivery': 'a-guid',
    'x-github-event': 'push',
    'x-hub-signature-256': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
  })
  expect(isSignedBy('secret', body, headers['x-hub-signature-256'] ?? '')).toBe(true)
})

test('a change has the same guid each time', () => {
  expect(guidOf(1, change)).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/)
  expect(guidOf(1, { ...change })).toBe(guidOf(1, change))
})

test.each([
  ['repository', guidOf(2, change)],
  ['ref', guidOf(1, { ...change, ref: 'refs/heads/other' })],
  ['commit before', guidOf(1, { ...change, before: 'c' })],
  ['commit after', guidOf(1, { ...change, after: 'c' })],
  ['number of earlier changes', guidOf(1, { ...change, changes: 2 })],
])('a change with another %s has another guid', (_, guid) => {
  expect(guid).not.toBe(guidOf(1, change))
})
