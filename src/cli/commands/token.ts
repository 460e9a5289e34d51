import { readConfig } from '../../config/config.ts'
import { ServiceError } from '../../domain/errors.ts'
import { visible } from '../../domain/visible.ts'
import { issueForOperator } from '../../flow/issue-for-operator.ts'
import { openStore } from '../../service/open/open-store.ts'
import { UsageError } from '../explain.ts'
import { createLog } from '../log.ts'
import { findNamedUser, readName } from '../named-user.ts'

interface TokenOptions {
  user: string
  name: string
}

/** Prints a new token, and nothing else, so that it can be put into a variable. */
export async function token({ user: named, name }: TokenOptions): Promise<void> {
  const config = readConfig(process.env)
  const { db, close } = await openStore(config, createLog(config))
  try {
    const user = await findNamedUser(db, readName(named))
    if (!user) {
      throw new UsageError(
        `there is no user ${visible(named)}: a user is created by logging in, ` +
          'the user `local` by registering a repository (build-service local add PATH); --user names another',
      )
    }
    console.log(await issueForOperator({ db, config, now: () => new Date() }, user, name))
  } catch (error) {
    if (error instanceof ServiceError) throw new UsageError(error.message)
    throw error
  } finally {
    await close()
  }
}
