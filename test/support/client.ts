import type { FastifyInstance } from 'fastify'
import { expectDeclared } from './declared-errors.ts'

export interface Reply {
  status: number
  body: unknown
}

interface CallOptions {
  token?: string | undefined
  headers?: Record<string, string>
}

/** Calls as `GET /path`, and returns status and body: JSON where it is JSON, else the text. */
function clientWith(server: FastifyInstance, usual: Record<string, string>) {
  return async (call: string, { token, headers = {} }: CallOptions = {}): Promise<Reply> => {
    const [method = 'GET', url = '/'] = call.split(' ', 2)
    const answer = await server.inject({
      method: method as 'GET',
      url,
      headers: { ...usual, ...(token ? { authorization: `token ${token}` } : {}), ...headers },
    })
    return { status: answer.statusCode, body: bodyOf(answer.headers['content-type'], answer.body) }
  }
}

function bodyOf(type: string | string[] | number | undefined, text: string): unknown {
  return String(type).startsWith('application/json') ? (JSON.parse(text) as unknown) : text
}

export function v2Client(server: FastifyInstance) {
  return clientWith(server, { accept: 'application/vnd.service.2.1+json' })
}

/** Throws for errors that the document of the call does not name. */
export function v3Client(server: FastifyInstance) {
  const client = clientWith(server, { 'service-api-version': '3' })
  return async (call: string, options?: CallOptions): Promise<Reply> => {
    const reply = await client(call, options)
    expectDeclared(call, reply.status, reply.body)
    return reply
  }
}
