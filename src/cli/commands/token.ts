import { readConfig } from '../../config/config.ts'
import { issueToken } from '../../flow/issue-token.ts'
import { openStore } from '../../service/open-store.ts'
import { findUserByLogin } from '../../store/users.ts'
import { UsageError } from '../explain.ts'
import { createLog } from '../log.ts'

interface TokenOptions {
  user: string
  name: string
}

/** Prints a new token, and nothing else, so that it can be put into a variable. */
export async function token({ user: login, name }: TokenOptions): Promise<void> {
  const config = readConfig(process.env)
  const { db, close } = await openStore(config, createLog(config))
  try {
    const user = await findUserByLogin(db, login)
    if (!user) {
      throw new UsageError(
        `there is no user ${login}: a user is created by logging in, ` +
          'the user `local` by registering a repository (build-service local add PATH)',
      )
    }
    console.log(await issueToken({ db, now: () => new Date() }, user, name))
  } finally {
    await close()
  }
}
