import type { Logger } from 'pino'
import { CodehostError } from '../../codehost/codehost.ts'
import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import { accountsThatWere } from '../../store/people/users.ts'
import { openApp } from '../open/open-app.ts'
import type { Store } from '../open/open-store.ts'
import type { Examined } from './examined.ts'

const subject = 'administrators'
const prefix = 'codehost:'

/**
 * Checks whether the logins in `ADMINS` still belong to the same accounts: others can take over a login
 * that was given up, and would administer this service. Problems of the app are reported elsewhere.
 */
export async function* examineAdmins(
  config: Config,
  { db }: Pick<Store, 'db'>,
  log: Logger,
): AsyncGenerator<Examined> {
  const logins = config.admins.flatMap((name) =>
    name.startsWith(prefix) ? name.slice(prefix.length) : [],
  )
  if (logins.length === 0) return
  try {
    const { codehost } = await openApp(config, log)
    if (!codehost) return
    let isRight = true
    for (const login of logins) {
      const account = await codehost.user(login)
      const earlier = await accountsThatWere(db, login)
      const problem = problemOf(login, account?.codehost_id, earlier)
      if (problem) yield problem
      isRight &&= !problem
    }
    if (isRight)
      yield { subject, verdict: 'ok', found: `the same accounts as before: ${logins.join(', ')}` }
  } catch (error) {
    if (!(error instanceof CodehostError || error instanceof SetupError)) throw error
  }
}

function problemOf(
  login: string,
  account: number | undefined,
  earlier: readonly number[],
): Examined | undefined {
  const named = `ADMINS names ${prefix}${login}`
  if (account === undefined) {
    return {
      subject,
      verdict: 'warning',
      found: `${named}, which is not an account at the code host: anyone who registers that name would become an administrator`,
      remedy: `take ${prefix}${login} out of ADMINS, or correct it`,
    }
  }
  const other = earlier.find((id) => id !== account)
  if (other === undefined) return undefined
  return {
    subject,
    verdict: 'failure',
    found: `${named}, whose login now belongs to another account (${account}) than before (${other})`,
    remedy:
      `find out whose it is: take ${prefix}${login} out of ADMINS, and list the current login of the intended ` +
      'person',
  }
}
