import type { People, UserFacts } from '../../codehost/codehost.ts'
import type { Context } from '../context.ts'

interface Candidate {
  people: People
  token: string
  user: Pick<UserFacts, 'login'>
}

/**
 * Whether the settings allow a user of the code host in; undefined where they name no one, so that it
 * depends on what the user can see there.
 */
export async function isNamed(
  { config }: Pick<Context, 'config'>,
  { people, token, user }: Candidate,
): Promise<boolean | undefined> {
  const { admins, allowedLogins, allowedOrganizations } = config
  const name = nameOf(user.login)
  if (admins.includes(name) || allowedLogins.includes(name)) return true
  if (allowedOrganizations.length > 0) {
    const organizations = await people.organizationsOf(token)
    return organizations.some((login) => allowedOrganizations.includes(nameOf(login)))
  }
  return allowedLogins.length > 0 ? false : undefined
}

/** Whether a user of the code host can log in. */
export async function mayLogIn(
  ctx: Pick<Context, 'config'>,
  candidate: Candidate,
): Promise<boolean> {
  const named = await isNamed(ctx, candidate)
  return named ?? candidate.people.hasInstallation(candidate.token)
}

/** As settings name it. */
function nameOf(login: string): string {
  return `codehost:${login.toLowerCase()}`
}
