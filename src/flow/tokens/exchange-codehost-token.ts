import type { HeldToken, People } from '../../codehost/codehost.ts'
import { findUserByCodehostId } from '../../store/people/users.ts'
import { noteAccepted } from '../../store/tokens/codehost-tokens.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'
import { applications, issueToken } from './issue-token.ts'
import { isNamed } from './may-log-in.ts'

interface Exchange {
  /** A token of the code host, which is not stored. */
  token: string
  /** The scopes that the token must have, if tokens of its kind have scopes. */
  wanted: readonly string[]
  /** Address of the caller. */
  address: string
}

export type ExchangeOutcome =
  | { kind: 'issued'; token: string }
  /** The holder of this token has never logged in here, or no longer can. */
  | { kind: 'refused' }
  | { kind: 'insufficient'; known: boolean }

/**
 * Issues a token to the user of a code host token, who must have logged in here before. Throws a
 * CodehostError if the code host cannot be queried.
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
    // Clients do not log in users who appear to lack scopes.
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

/** Whether the token has each wanted scope or its parent, or a scope for repositories. */
function isEnough(wanted: readonly string[], scopes: readonly string[] | null): boolean {
  if (scopes === null || scopes.includes('repo') || scopes.includes('public_repo')) return true
  return wanted.every(
    (scope) => scopes.includes(scope) || scopes.includes(scope.split(':', 1)[0] ?? ''),
  )
}
