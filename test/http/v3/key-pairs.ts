import { expect } from 'vitest'

export const fingerprint = expect.stringMatching(
  /^[\da-f]{2}(:[\da-f]{2}){15}$/,
) as unknown as string

/** A key pair of repository 1 as its pusher sees it. */
export const shownPair = (members: object, href = '/repo/1/key_pair') => ({
  '@type': 'key_pair',
  '@href': href,
  '@representation': 'standard',
  '@permissions': { read: true, write: true },
  ...members,
})
