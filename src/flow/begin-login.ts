import { randomBytes } from 'node:crypto'
import type { Logins } from '../codehost/codehost.ts'
import { hashToken } from '../secrets/token.ts'
import { insertLoginState } from '../store/login-states.ts'
import type { LoginState } from '../store/tables.ts'
import type { Context } from './context.ts'
import { challengeOf, verifierOf } from './login/challenge.ts'

/** Milliseconds within which a login has to be ended. */
const lifetime = 30 * 60 * 1000

interface Begun {
  /** What the browser brings back. */
  state: string
  /** The page of the code host that it is sent to. */
  address: string
}

/** Begins a login at the code host. Its state can be used once. */
export async function beginLogin(
  ctx: Context,
  logins: Logins,
  { way, target, callback }: Pick<LoginState, 'way' | 'target'> & { callback: string },
): Promise<Begun> {
  const random = randomBytes(16).toString('base64url')
  const state = target === null ? random : `${random}:::${target}`
  // It may end at a process where another master key comes first.
  const [key_id] = ctx.sealer.keyIds
  const expires_at = new Date(ctx.now().getTime() + lifetime)
  await insertLoginState(ctx.db, { hash: hashToken(random), way, target, key_id, expires_at })
  const challenge = challengeOf(verifierOf(ctx, random, key_id))
  return { state, address: logins.address({ callback, state, challenge }) }
}
