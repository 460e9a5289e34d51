import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { Logins } from '../../src/codehost/codehost.ts'
import { signedDelivery } from '../../src/codehost/local/delivery.ts'
import { challengeOf, verifierOf, beginLogin } from '../../src/flow/tokens/log-in.ts'
import { listen } from '../../src/http/core/listen.ts'
import { createServer } from '../../src/http/server.ts'
import { createSealer, type Sealer } from '../../src/secrets/seal.ts'
import { hashToken } from '../../src/secrets/token.ts'
import { deliverTo } from '../../src/service/local/local-changes.ts'
import { localSecret, localSecrets } from '../../src/service/local/local-secret.ts'
import { takeLoginState } from '../../src/store/tokens/login-states.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'

// While MASTER_KEY is being changed, processes have the old and the new key in different orders.
const [old, fresh] = [randomBytes(32), randomBytes(32)]
const before = createSealer(old, fresh)
const after = createSealer(fresh, old)
const stranger = createSealer(randomBytes(32))

const { db } = await ownDatabase()
const ctx = testContext(db)
const accepted: string[] = []
const server = await createServer({
  ...ctx,
  sealer: after,
  intake: {
    secrets: { codehost: [], local: localSecrets(after) },
    async accept({ guid }) {
      accepted.push(guid)
      return true
    },
  },
})
const port = await listen(server, { host: '127.0.0.1', port: 0 })
afterAll(() => server.close())

test.each([
  ['the old key first', before, true],
  ['the new key first', after, true],
  ['another key', stranger, false],
])(
  'a webhook that this machine signs with %s is accepted: %s',
  async (_keys, sealer, isAccepted) => {
    accepted.length = 0
    const deliver = deliverTo(`http://127.0.0.1:${port}`, sealer)
    const body = Buffer.from('{"ref":"refs/heads/main"}')
    const delivery = { event: 'push' as const, guid: '0-1', body }
    const answer = await deliver(delivery).catch(String)
    expect(String(answer).includes('responded with 401')).toBe(!isAccepted)
    expect(accepted).toEqual(isAccepted ? ['0-1'] : [])
    expect(signedDelivery(localSecret(before), delivery)).not.toEqual(
      signedDelivery(localSecret(after), delivery),
    )
  },
)

const unused = () => Promise.reject(new Error('nothing is redeemed'))

test('a login that begins with the old key first can end with the new key first, and the other way round', async () => {
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const) {
    const logins: Logins = {
      address: ({ challenge }) => challenge,
      redeem: unused,
      refresh: unused,
    }
    const given = { way: 'session', target: null, callback: 'https://ci.example.org/' } as const
    const begun = await beginLogin({ ...ctx, sealer: one }, logins, given)
    const known = await takeLoginState(db, hashToken(begun.state), ctx.now())
    const endedWith = (sealer: Sealer) =>
      challengeOf(verifierOf({ sealer }, begun.state, known?.key_id ?? null))
    expect(endedWith(other)).toBe(begun.address)
    expect(endedWith(stranger)).not.toBe(begun.address)
  }
})
