import { json } from '../answer.ts'
import type { Call } from '../endpoint.ts'
import { hrefOf } from './href.ts'
import type { Include } from './include.ts'
import { paginationOf } from './pagination.ts'
import {
  isList,
  isPending,
  isPresented,
  type Presented,
  type PresentedList,
  type PresentedPending,
  type PresentedRecord,
} from './presented.ts'
import { render } from './render.ts'
import { requestedOf } from './requested.ts'
import type { View } from './resource.ts'
import { registry } from './resources/index.ts'

/** Renders what an endpoint presents. */
export async function renderPresented(presented: Presented, call: Call) {
  if (isPending(presented)) return json(await renderPending(presented, call), 202)
  if (isList(presented)) return json(await renderList(presented, call))
  return json(await renderRecord(presented, call), presented.status)
}

async function renderList({ collection, records, page }: PresentedList, call: Call) {
  const { shape, include } = requestedOf({ collection }, call)
  const { url, method } = call.request
  const view = viewOf(call, include)
  return {
    '@type': collection.type,
    // Of a list that was changed there is none to read again.
    ...(['GET', 'HEAD'].includes(method) ? { '@href': view.href(url) } : {}),
    '@representation': shape.representation,
    ...(page ? { '@pagination': paginationOf(page, url, view.href) } : {}),
    [collection.type]: await render(registry, view, collection.of, records as never[], shape),
  }
}

async function renderRecord(presented: PresentedRecord, call: Call) {
  const { resource, shape, include } = requestedOf(presented, call)
  const view = viewOf(call, include)
  const [rendered] = await render(registry, view, resource, [presented.model as never], shape)
  return rendered
}

async function renderPending({ type, members }: PresentedPending, call: Call) {
  const rendered = await Promise.all(
    Object.entries(members).map(async ([name, value]) => {
      const isRecord = isPresented(value) && !isList(value) && !isPending(value)
      return [name, isRecord ? await renderRecord(value, call) : value] as const
    }),
  )
  return { '@type': 'pending', ...Object.fromEntries(rendered), resource_type: type }
}

function viewOf(call: Call, include: Include): View {
  const { ctx, viewer, request } = call
  return { call, ctx, viewer, href: (path) => hrefOf(ctx.site, request, path), include }
}
