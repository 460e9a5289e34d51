import { expect, test } from 'vitest'
import { isWebAddress } from '../../../../src/http/pages/parts/external-link.tsx'

test.each([
  ['https://example.com/', true],
  ['HTTP://example.com', true],
  ['javascript:alert(1)', false],
  [' https://example.com', false],
  ['data:text/html,x', false],
  ['//example.com', false],
  ['', false],
])('the web address %j is valid: %s', (address, expected) => {
  expect(isWebAddress(address)).toBe(expected)
})
