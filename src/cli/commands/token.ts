import { visible } from '../../domain/text/escape-control-characters.ts'
import { issueForOperator } from '../../flow/tokens/issue-token.ts'
import { asUsage, UsageError } from '../errors.ts'
import { findNamedUser, readName } from '../named-user.ts'
import { withStore } from '../with-store.ts'

interface TokenOptions {
  user: string
  name: string
}

/** Prints a new token, and nothing else, so that a shell can store it in a variable. */
export async function token({ user: named, name }: TokenOptions): Promise<void> {
  await withStore(async ({ db }, config) => {
    const user = await findNamedUser(db, readName(named))
    if (!user) {
      throw new UsageError(
        `there is no user ${visible(named)}: a user is created by logging in, the user \`local\` by ` +
          'registering a repository (build-service local add PATH); --user names another',
      )
    }
    const ctx = { db, config, now: () => new Date() }
    console.log(await issueForOperator(ctx, user, name).catch(asUsage))
  })
}
