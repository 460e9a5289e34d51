import { CodehostError, type UserFacts } from '../codehost.ts'
import type { App } from './app.ts'
import { installationsOf } from './installations.ts'
import type { Answer } from './octokit.ts'

type User = Answer<'users', 'getByUsername'>

/** Some code hosts tell nothing to strangers, so one of the installations asks. */
export async function findUser(app: App, login: string): Promise<UserFacts | undefined> {
  if (!/^[\w-]+(?:\[bot\])?$/.test(login)) return undefined
  const any = (await installationsOf(app)).find(({ suspended }) => !suspended)
  if (!any) {
    const message = 'the app is not installed anywhere yet, so the code host cannot be asked'
    throw new CodehostError(message, { kind: 'refused' })
  }
  const scope = { installation: any.codehost_id, permissions: { metadata: 'read' } } as const
  const found = await app.find<User>(scope, 'GET /users/{login}', { login })
  if (!found) return undefined
  const { id, name, email, avatar_url } = found
  return { codehost_id: id, login: found.login, name, email, avatar_url }
}
