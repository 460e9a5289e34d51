// Parts of the code host may not know a token yet that was just issued, and refuse it for some seconds.
import { describe, expect, test } from 'vitest'
import { findCodehostToken } from '../../../src/store/tokens/codehost-tokens.ts'
import { testDatabase } from '../../support/database.ts'
import { loginScene, toTarget } from '../login-scene.ts'
import { textIn } from '../pages/reading.ts'

const db = await testDatabase()
const { ctx, host, logIn, visitor } = await loginScene(db)

describe.each([401, 403])('a login whose new token the code host refuses with %i', (status) => {
  test.each([/^GET \/user$/, /^GET \/user\/installations/])(
    'succeeds if the refusal happens once: %s',
    async (call) => {
      host.failNext({ kind: 'status', status }, call)
      const { statusCode, body } = await logIn(visitor(), toTarget)
      expect([statusCode, body]).toEqual([200, expect.stringMatching(/bsvc_\w{32}/)])
      const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
      expect(await findCodehostToken(db, id)).toMatchObject({ issued_at: ctx.now() })
    },
  )

  test('is reported as unconfirmed, not as refused, if the refusals go on', async () => {
    const stop = host.failWhile({ kind: 'status', status }, /^GET \/user$/)
    const { statusCode, body } = await logIn(visitor(), toTarget)
    stop()
    expect([statusCode, textIn(body)]).toEqual([
      401,
      expect.stringContaining('could not resolve codehost token'),
    ])
  })
})
