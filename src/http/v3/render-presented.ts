import { json } from '../answer.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { flag } from '../parameters/kinds.ts'
import { hrefOf } from './href.ts'
import { readInclude } from './include.ts'
import { paginationOf } from './pagination.ts'
import { render } from './render.ts'
import type { View } from './resource.ts'
import { registry } from './resources/index.ts'
import {
  isPage,
  isPending,
  isPresented,
  type Presented,
  type PresentedPending,
  type PresentedRecord,
} from './presented.ts'
import { warningsFor } from './warnings.ts'

/** Renders what an endpoint presents, with a warning for each parameter that it does not accept. */
export async function renderPresented(presented: Presented, call: Call, { accepts }: Endpoint) {
  const view = viewOf(call)
  if (isPending(presented)) {
    return json({ ...warningsFor(call, accepts), ...(await renderPending(view, presented)) }, 202)
  }
  if (!isPage(presented)) {
    return json({ ...warningsFor(call, accepts), ...(await renderRecord(view, presented)) })
  }
  const { collection, query, page } = presented
  const { url } = call.request
  const models = page.records as never[]
  return json({
    ...warningsFor(call, { ...accepts, skip_count: flag() }, query.warnings),
    '@type': collection.type,
    '@href': view.href(url),
    '@representation': 'standard',
    '@pagination': paginationOf({ ...query, count: page.count }, url, view.href),
    [collection.type]: await render(registry, view, collection.of, models),
  })
}

async function renderRecord(view: View, { resource, representation, model }: PresentedRecord) {
  const [rendered] = await render(registry, view, resource, [model as never], { representation })
  return rendered
}

async function renderPending(view: View, { type, members }: PresentedPending) {
  const rendered = await Promise.all(
    Object.entries(members).map(async ([name, value]) => {
      const isRecord = isPresented(value) && !isPage(value) && !isPending(value)
      return [name, isRecord ? await renderRecord(view, value) : value] as const
    }),
  )
  return { '@type': 'pending', ...Object.fromEntries(rendered), resource_type: type }
}

function viewOf({ ctx, viewer, given, request }: Call): View {
  return {
    ctx,
    viewer,
    href: (path) => hrefOf(ctx.site, request, path),
    include: readInclude(given.include),
  }
}
