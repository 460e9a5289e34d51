import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'
import type Docker from 'dockerode'
import type { Environment } from '../../../config/config.ts'
import { isMap } from '../../../domain/config/config-value.ts'

export type Engine = Docker

const require = createRequire(import.meta.url)

/**
 * Connects to the engine that the `docker` command would use: by `DOCKER_HOST` and related
 * variables, the current context, the system's socket, or the socket of a rootless engine. No
 * request is sent yet. Paths contain no version, because an engine refuses versions that are too
 * old or too new for it.
 */
export function openEngine(env: Environment): Engine {
  // Loaded only when needed, because it would slow down other starts.
  const Client = require('dockerode') as typeof Docker
  const host = env['DOCKER_HOST'] ?? contextHost(env) ?? rootlessHost(env)
  if (host?.startsWith('unix://')) return new Client({ socketPath: host.slice('unix://'.length) })
  // No time limit: it would end the output of quiet jobs.
  if (host === undefined || host === env['DOCKER_HOST']) return new Client({ timeout: 0 })
  const { protocol, hostname, port } = new URL(host)
  if (protocol !== 'tcp:')
    throw new Error(`the Docker context has ${host}: set DOCKER_HOST instead`)
  return new Client({ protocol: 'http', host: hostname, port: Number(port || 2375) })
}

const systemSocket = '/var/run/docker.sock'

function rootlessHost(env: Environment): string | undefined {
  const socket = path.join(env['XDG_RUNTIME_DIR'] ?? '/nowhere', 'docker.sock')
  return !existsSync(systemSocket) && existsSync(socket) ? `unix://${socket}` : undefined
}

function contextHost(env: Environment): string | undefined {
  const folder = dockerFolder(env)
  const name =
    env['DOCKER_CONTEXT'] ?? textOf(readJson(path.join(folder, 'config.json')), 'currentContext')
  if (name === undefined || name === 'default') return undefined
  const id = createHash('sha256').update(name).digest('hex')
  const meta = readJson(path.join(folder, 'contexts/meta', id, 'meta.json'))
  const endpoints = isMap(meta) ? meta['Endpoints'] : undefined
  return textOf(isMap(endpoints) ? endpoints['docker'] : undefined, 'Host')
}

/** The folder of the `docker` command's own settings. */
export function dockerFolder(env: Environment): string {
  return env['DOCKER_CONFIG'] ?? path.join(homedir(), '.docker')
}

/** The content of a JSON file; undefined if it is missing or unreadable. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

export function textOf(value: unknown, key: string): string | undefined {
  const found = isMap(value) ? value[key] : undefined
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** The HTTP status of the engine's refusal; undefined if the engine did not respond. */
export function statusOf(error: unknown): number | undefined {
  return isMap(error) && typeof error['statusCode'] === 'number' ? error['statusCode'] : undefined
}

/** The message of the engine, in one line. */
export function reasonOf(error: unknown): string {
  const said = textOf(isMap(error) ? error['json'] : undefined, 'message')
  const text = said ?? (error instanceof Error ? error.message : String(error))
  return text
    .replace(/^\(HTTP code \d+\) [^-]*- /, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Ignores refusals with these statuses: the requested state is already reached. */
export async function unless(statuses: readonly number[], asked: Promise<unknown>): Promise<void> {
  try {
    await asked
  } catch (error) {
    const status = statusOf(error)
    if (status === undefined || !statuses.includes(status)) throw error
  }
}
