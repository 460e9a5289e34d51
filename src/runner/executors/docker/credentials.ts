import { execFile } from 'node:child_process'
import path from 'node:path'
import type { AuthConfig } from 'dockerode'
import type { Environment } from '../../../config/config.ts'
import { isMap } from '../../../domain/config/config-value.ts'
import { dockerFolder, readJson, textOf } from './engine.ts'

const hub = 'https://index.docker.io/v1/'

/**
 * The login that the `docker` command would use for an image: by `DOCKER_AUTH_CONFIG`, else by its own file. A
 * helper program that fails counts as no login.
 */
export async function credentialsFor(
  image: string,
  env: Environment,
): Promise<AuthConfig | undefined> {
  const config = readConfig(env)
  const registry = registryOf(image)
  const helper = textOf(config['credHelpers'], registry) ?? textOf(config, 'credsStore')
  const helped = helper === undefined ? undefined : await askHelper(helper, registry, env)
  return helped ?? written(config['auths'], registry)
}

/** The key of an image's registry in the settings of the `docker` command. */
function registryOf(image: string): string {
  const [first = '', ...rest] = image.split('/')
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  return isHost && first !== 'docker.io' ? first : hub
}

function readConfig(env: Environment): Record<string, unknown> {
  const given = env['DOCKER_AUTH_CONFIG']
  const config = given ? parsed(given) : readJson(path.join(dockerFolder(env), 'config.json'))
  return isMap(config) ? config : {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function written(auths: unknown, registry: string): AuthConfig | undefined {
  const names = [
    registry,
    `https://${registry}`,
    `https://${registry}/v1/`,
    `https://${registry}/v2/`,
  ]
  const entry = names.map((name) => (isMap(auths) ? auths[name] : undefined)).find(isMap)
  const token = textOf(entry, 'identitytoken')
  if (token !== undefined) return identity(token, registry)
  const auth = textOf(entry, 'auth')
  if (auth === undefined) return undefined
  const [username = '', ...password] = Buffer.from(auth, 'base64').toString().split(':')
  return { username, password: password.join(':'), serveraddress: registry }
}

async function askHelper(
  name: string,
  registry: string,
  env: Environment,
): Promise<AuthConfig | undefined> {
  if (!/^[\w.-]+$/.test(name)) return undefined
  const answer = parsed(await outputOf(`docker-credential-${name}`, registry, env))
  const username = textOf(answer, 'Username')
  const password = textOf(answer, 'Secret')
  if (username === undefined || password === undefined) return undefined
  if (username === '<token>') return identity(password, registry)
  return { username, password, serveraddress: registry }
}

function outputOf(helper: string, registry: string, env: Environment): Promise<string> {
  return new Promise((resolve) => {
    const { PATH, HOME } = env
    const options = { env: { PATH, HOME }, timeout: 10_000 }
    const child = execFile(helper, ['get'], options, (error, text) => resolve(error ? '' : text))
    child.stdin?.on('error', () => {})
    child.stdin?.end(registry)
  })
}

/** The engine accepts a token instead of a name and password, which its types do not include. */
function identity(identitytoken: string, serveraddress: string): AuthConfig {
  return { identitytoken, serveraddress }
}
