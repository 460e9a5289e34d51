import { CodehostError } from '../../../codehost/codehost.ts'
import { notFound } from '../../../domain/errors.ts'
import type { NewApp } from '../../../domain/registered-app.ts'
import { registerApp } from '../../../flow/secrets/service-keys.ts'
import { type Answer, redirect, withCookie } from '../../core/answer.ts'
import type { Registration } from '../../core/context.ts'
import type { Call } from '../../core/endpoint.ts'
import { setupPath } from '../paths.ts'
import { problem, registered } from './answers.tsx'
import { isStateOf, stateCookie, stateIn } from './state.ts'

interface Returned {
  code?: string | undefined
  state?: string | undefined
}

/** Makes the service the registered app. A browser that returns a second time sees that this is done. */
export async function finish(call: Call, { code = '', state = '' }: Returned): Promise<Answer> {
  const { ctx, request } = call
  const done = await registered(call)
  if (done) return done
  const { registration } = ctx
  if (!registration) throw notFound()
  if (!isStateOf(ctx, state, stateIn(ctx.site, request.headers))) {
    return problem(call, {
      title: 'Not begun here',
      reason: 'This registration was not started in this browser, or it has expired.',
      advice: 'Start again. If an app was registered in the meantime, delete it at the code host.',
      status: 403,
    })
  }
  if (code === '') return notRegistered(call, 'The code host has not registered the app.')
  try {
    return await register(call, registration, await registration.convert(code))
  } catch (error) {
    if (!(error instanceof CodehostError)) throw error
    // A second call may have come first, and used up the code.
    return (await registered(call)) ?? failed(call, error)
  }
}

async function register(call: Call, registration: Registration, app: NewApp): Promise<Answer> {
  const { ctx, request } = call
  const where = { codehost_url: ctx.site.codehost.web_url, address: request.ip }
  if (!(await registerApp(ctx, app, where))) {
    return problem(call, {
      title: 'There is an app already',
      reason: `Another app was registered in the meantime, so ${app.name} is not used.`,
      advice: `Delete it at the code host: ${app.html_url}`,
      status: 409,
    })
  }
  await registration.adopt(app)
  // Redirects away from the URL with the code.
  return withCookie(redirect(setupPath(ctx.site.prefix)), stateCookie(ctx.site, null))
}

function failed(call: Call, error: CodehostError): Answer {
  if (!error.temporary) return notRegistered(call, error.message)
  return problem(call, {
    title: 'The code host does not respond',
    reason: error.message,
    advice: 'The registered app can still be fetched for an hour.',
    status: 503,
    again: call.request.originalUrl,
  })
}

function notRegistered(call: Call, reason: string): Answer {
  const advice = 'Its code can be used once, within an hour. Start again.'
  return problem(call, { title: 'The app was not registered', reason, advice, status: 400 })
}
