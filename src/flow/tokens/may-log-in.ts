import { isLetIn } from '../../access/login-rights.ts'
import type { HeldToken, People, UserFacts } from '../../codehost/codehost.ts'
import type { Context } from '../context.ts'

interface Candidate {
  people: People
  token: HeldToken
  user: Pick<UserFacts, 'login'>
}

/**
 * Whether the settings allow a user of the code host to log in; undefined if they name no one, so that it
 * depends on which installations the user can see there.
 */
export async function isNamed(
  { config }: Pick<Context, 'config'>,
  { people, token, user: { login } }: Candidate,
): Promise<boolean | undefined> {
  const listed = isLetIn({ provider: 'codehost', login }, config)
  const { allowedOrganizations } = config
  if (listed !== undefined || allowedOrganizations.length === 0) return listed
  const organizations = await people.organizationsOf(token)
  return organizations.some((name) =>
    allowedOrganizations.includes(`codehost:${name.toLowerCase()}`),
  )
}

/** Whether a user of the code host can log in. */
export async function mayLogIn(
  ctx: Pick<Context, 'config'>,
  candidate: Candidate,
): Promise<boolean> {
  const named = await isNamed(ctx, candidate)
  return named ?? candidate.people.hasInstallation(candidate.token)
}
