import type { HeldToken, People } from '../codehost/codehost.ts'
import { noteAccepted } from '../store/codehost-tokens.ts'
import { findUserByCodehostId } from '../store/users.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { applications, issueToken } from './issue-token.ts'
import { isNamed } from './login/may-log-in.ts'
import { transact } from './transact.ts'

interface Exchange {
  /** A token of the code host, which is not kept. */
  token: string
  /** The scopes that it has to have, if it has any. */
  wanted: readonly string[]
  /** Of the caller. */
  address: string
}

export type ExchangeOutcome =
  | { kind: 'issued'; token: string }
  /** Whoever has this token has never logged in here, or cannot any more. */
  | { kind: 'refused' }
  | { kind: 'insufficient'; known: boolean }

/**
 * Issues a token to the user of a token of the code host, who has logged in here before. Throws a CodehostError where it cannot be asked.
 */
export async function exchangeCodehostToken(
  ctx: Context,
  people: People,
  { token: text, wanted, address }: Exchange,
): Promise<ExchangeOutcome> {
  const token: HeldToken = { token: text, issued_at: null }
  const owner = await people.ownerOf(token)
  if (!owner) return { kind: 'refused' }
  const found = await findUserByCodehostId(ctx.db, 'codehost', owner.user.codehost_id)
  const user = found && found.first_logged_in_at && !found.blocked_at ? found : undefined
  if (!isEnough(wanted, owner.scopes)) return { kind: 'insufficient', known: user !== undefined }
  if (!user || (await isNamed(ctx, { people, token, user: owner.user })) === false) {
    return { kind: 'refused' }
  }
  const by = 'exchange'
  const issued = await transact(ctx, async (tx) => {
    // Clients log in no one who is said to lack scopes.
    await noteAccepted(tx.db, user.id)
    const made = await issueToken(tx, user, by, { application: applications.exchange })
    await audit(
      tx,
      { user, token_id: null, address },
      { action: 'issue_token', subject_type: 'user', subject_id: user.id, changed: { by } },
    )
    return made
  })
  return { kind: 'issued', token: issued }
}

/** For each scope the token has it, or what it is a part of, or one for repositories. */
function isEnough(wanted: readonly string[], scopes: readonly string[] | null): boolean {
  if (scopes === null || scopes.includes('repo') || scopes.includes('public_repo')) return true
  return wanted.every(
    (scope) => scopes.includes(scope) || scopes.includes(scope.split(':', 1)[0] ?? ''),
  )
}
