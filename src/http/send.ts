import type { FastifyReply } from 'fastify'
import { isAnswer, json } from './answer.ts'

/**
 * Sends what an endpoint returned: an `Answer`, or else JSON. As bytes, since the framework would
 * add a charset to a text of type `application/json`.
 */
export function send(reply: FastifyReply, result: unknown, jsonType: string): FastifyReply {
  const answer = isAnswer(result) ? result : json(result, 200, jsonType)
  switch (answer.answer) {
    case 'text':
      return reply
        .headers(answer.headers ?? {})
        .type('text/plain;charset=utf-8')
        .send(answer.text)
    case 'html':
      return reply
        .code(answer.status ?? 200)
        .type('text/html;charset=utf-8')
        .send(answer.html)
    case 'redirect':
      return reply.redirect(answer.path, 302)
    case 'written': {
      const { buffer, byteOffset, byteLength } = answer.json
      return reply.type(jsonType).send(Buffer.from(buffer, byteOffset, byteLength))
    }
    case 'json':
      return reply
        .code(answer.status ?? 200)
        .type(answer.type ?? jsonType)
        .send(Buffer.from(JSON.stringify(answer.body)))
  }
}
