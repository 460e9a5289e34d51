import { CodehostError, type UserFacts } from '../codehost.ts'
import type { App } from './app.ts'
import { installationsOf } from './installations.ts'
import type { ResponseData } from './octokit.ts'

type User = ResponseData<'users', 'getByUsername'>

/** Some code hosts require authentication for this, so the token of any installation is used. */
export async function findUser(app: App, login: string): Promise<UserFacts | undefined> {
  if (!/^[\w-]+(?:\[bot\])?$/.test(login)) return undefined
  const any = (await installationsOf(app)).find(({ suspended }) => !suspended)
  if (!any) {
    const message =
      'the app is not installed anywhere yet, so users cannot be looked up at the code host'
    throw new CodehostError(message, { kind: 'refused' })
  }
  const scope = { installation: any.codehost_id, permissions: { metadata: 'read' } } as const
  const found = await app.find<User>(scope, 'GET /users/{login}', { login })
  if (!found) return undefined
  const { id, name, email, avatar_url } = found
  return { codehost_id: id, login: found.login, name, email, avatar_url }
}
