import type { Logger } from 'pino'
import { CodehostError } from '../../codehost/codehost.ts'
import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'
import { accountsThatWere } from '../../store/former-logins.ts'
import type { Examined } from './examined.ts'
import type { Store } from '../open/open-store.ts'
import { openApp } from '../open/open-app.ts'

const subject = 'administrators'
const prefix = 'codehost:'

/**
 * Whether the logins of `ADMINS` still belong to whom they did: logins are given up and taken by others,
 * who would administer this service. What is wrong with the app itself is said elsewhere.
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
      yield { subject, verdict: 'ok', found: `they are still who they were: ${logins.join(', ')}` }
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
      found: `${named}, which is no account at the code host: anyone who takes that name would be an administrator`,
      remedy: `take ${prefix}${login} out of ADMINS, or correct it`,
    }
  }
  const other = earlier.find((id) => id !== account)
  if (other === undefined) return undefined
  return {
    subject,
    verdict: 'failure',
    found: `${named}, which is the login of another account (${account}) now than before (${other})`,
    remedy:
      `find out whose it is: take ${prefix}${login} out of ADMINS, and name the present login of whom ` +
      'you mean',
  }
}
