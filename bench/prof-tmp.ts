import { hostileFiles, mostBytes } from './harness/hostile-files.ts'
const { lintText } = await import('../dist/lint/lint-text.js')
const { explainJobs } = await import('../dist/buildfile/expand/explain-jobs.js')
const { readBuildFile } = await import('../dist/buildfile/read-build-file.js')
const { composeText } = await import('../dist/buildfile/compose/compose-text.js')
const only = process.argv[2]
const time=(f:()=>unknown)=>{const ts=[];for(let i=0;i<6;i++){const s=performance.now();f();ts.push(performance.now()-s)} return ts.sort((a,b)=>a-b)[2]!.toFixed(0)}
for (const [k,{full,make}] of Object.entries(hostileFiles)) { if (full!==mostBytes || (only && k!==only)) continue
 const t=make(full)
 const r = lintText(t,{advice:true})
 console.log(k.padEnd(30),'compose',time(()=>composeText(t)),'read',time(()=>readBuildFile(t)),'lint',time(()=>lintText(t,{advice:false})),'advice',time(()=>lintText(t,{advice:true})),'all',time(()=>{const { config, lineOf } = lintText(t,{advice:true}); explainJobs(config,{lineOf})}), 'findings', r.findings.length, 'messages', readBuildFile(t).messages.length)
}
