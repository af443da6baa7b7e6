import { createHash } from 'node:crypto';

/** Colours and sizes are those of the dashboard (`web/src/tokens.ts`). The page follows the scheme of the system. */
export const STYLE = `:root{color-scheme:light dark;--bg:#f5f6f8;--surface:#fff;--border:#dfe3ea;--edge:#c8cfd9;--ink:#10151d;--text2:#475264;--text3:#5d697b;--link:#1d4ed8;--ok:#0c8577;--oktext:#0b7568;--near:#c27100;--neartext:#8a5a00;--over:#b42318;--overtint:#b4231812;--neartint:#c2710017;--infotint:#1d4ed812;--stale:#6b7789;--track:#e4e8ee}
@media(prefers-color-scheme:dark){:root{--bg:#0b0e13;--surface:#11151c;--border:#222a36;--edge:#323c4b;--ink:#e8ecf2;--text2:#a9b4c2;--text3:#8592a4;--link:#60a5fa;--ok:#288d7a;--oktext:#4cc39a;--near:#f0b429;--neartext:#f0b429;--over:#ff6f61;--overtint:#ff6f611a;--neartint:#f0b4291a;--infotint:#60a5fa1a;--stale:#76839a;--track:#2a3340}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:14px/20px "Inter Variable",Inter,system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
main,.top,.foot{width:min(960px,100% - 48px);margin-inline:auto}
.top{display:flex;flex-wrap:wrap;align-items:center;gap:8px 12px;padding:20px 0;font-size:16px;font-weight:600}
.top .logo{display:grid;place-items:center;width:32px;height:32px;border-radius:8px;background:var(--ink);color:var(--bg);font-size:14px;flex:none}
.top small{font-size:12px;font-weight:400;color:var(--text2)}
.top .now{margin-left:auto;display:flex;align-items:center;gap:8px}
.top .btn{display:inline-flex;align-items:center;min-height:32px;padding:0 12px;border:1px solid var(--edge);border-radius:6px;background:var(--surface);color:var(--ink);font-size:13px;font-weight:500}
.head{display:grid;grid-template-columns:32px minmax(0,1fr);gap:0 14px;align-items:center;margin:24px 0 20px}
.head .g{width:32px;height:32px}
h1{margin:0;font-size:28px;line-height:36px;font-weight:600;letter-spacing:-.02em}
.head p{grid-column:2;margin:2px 0 0;color:var(--text2)}
.note{margin:0 0 20px;color:var(--text2);white-space:pre-line}
h2{margin:0;font-size:14px;line-height:20px;font-weight:600}h2 small{margin-left:6px;font-size:12px;font-weight:400;color:var(--text3)}
h3{margin:0;font-size:15px;line-height:22px;font-weight:600}
.panel{margin:0 0 16px;border:1px solid var(--border);border-radius:8px;background:var(--surface);overflow:hidden}
.panel>header{display:flex;justify-content:space-between;align-items:center;gap:12px;min-height:44px;padding:8px 20px;border-bottom:1px solid var(--border)}
.panel>header a{font-size:13px;font-weight:500}
ul,ol{list-style:none;margin:0;padding:0}
.rows>li{padding:12px 20px}.rows>li+li{border-top:1px solid var(--border)}
.part{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,440px) 128px 116px;align-items:center;gap:4px 16px;min-height:56px}
.part>b{font-weight:500}.part>b small,.pct small{font-size:12px;font-weight:400;color:var(--text3)}.part>b small{margin-left:6px;white-space:nowrap}
.pct{text-align:right;font-variant-numeric:tabular-nums}.pct small{display:block}.pct i{font-style:normal;color:var(--text3)}
.figures{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:4px 20px;margin:0;font-size:12px;color:var(--text2);font-variant-numeric:tabular-nums}
.state{display:inline-flex;align-items:center;gap:8px;font-size:13px;color:var(--text2)}
.g{width:12px;height:12px;flex:none}
.s-offline,.s-partly_offline{color:var(--over);font-weight:600}.s-over_line{color:var(--neartext);font-weight:600}.s-maintenance{color:var(--link)}
.g-offline,.g-partly_offline{color:var(--over)}.g-over_line{color:var(--near)}.g-maintenance{color:var(--link)}.g-operational{color:var(--oktext)}.g-not_reporting,.g-none{color:var(--text3)}
.bars{display:block;width:100%;height:auto}
.bars path{fill:none;stroke-dasharray:3 1}
.b-normal{stroke:var(--ok);stroke-width:9}.b-short{stroke:var(--near);stroke-width:13}.b-down{stroke:var(--over);stroke-width:19}
.b-unknown{stroke:var(--stale);stroke-width:6;opacity:.6}.b-none{stroke:var(--edge);stroke-width:4;opacity:.7}
.bars .line{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:none}
.bars .m-down{fill:var(--over)}.bars .m-short{fill:none;stroke:var(--neartext);stroke-width:1.2;stroke-dasharray:none}.hit{fill:transparent}
.legend{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 24px;margin:0 20px 10px;font-size:12px;color:var(--text2)}
.legend span{display:inline-flex;align-items:center;gap:6px}.legend>span+span{margin-left:0}.legend div{display:flex;flex-wrap:wrap;gap:4px 18px}
.legend .bars{width:11px;height:28px}.legend .bars path{stroke-dasharray:none}
.open{padding:16px 20px}.panel.open>header{min-height:0;padding:0;border:0;align-items:start;gap:8px 12px}
.open h3{display:flex;gap:8px;align-items:baseline}.open .sub{margin:2px 0 12px 20px;font-size:13px;color:var(--text2)}
.chip{display:inline-flex;align-items:center;gap:6px;padding:1px 8px;border-radius:4px;font-size:12px;font-weight:500;white-space:nowrap;background:var(--infotint)}
.chip.s-offline,.chip.s-partly_offline{background:var(--overtint)}.chip.s-over_line{background:var(--neartint)}
.updates{margin-left:20px}.updates li{display:grid;grid-template-columns:92px minmax(0,1fr);gap:12px;padding:5px 0;font-size:13px}
.updates time{color:var(--text2);text-align:right;font-variant-numeric:tabular-nums}.updates p,.past p,.plan p{margin:0;white-space:pre-line}
.updates p{padding-left:16px;border-left:2px solid var(--edge)}.updates li:first-child p{border-color:var(--ink)}
.past>li{display:grid;grid-template-columns:104px minmax(0,1fr);gap:2px 16px;font-size:13px}.past time{color:var(--text2)}.past p,.plan p{color:var(--text2)}
.past details{margin-top:2px}.past summary{cursor:pointer;color:var(--link);font-size:12px}.past .updates{margin-left:0}
.plan>li{display:grid;grid-template-columns:16px minmax(0,1fr);gap:0 12px;align-items:center;font-size:13px}.plan p{grid-column:2}
.foot{display:flex;justify-content:space-between;gap:12px;padding:4px 0 32px;font-size:12px;color:var(--text3)}
.past .figures,.panel>.figures{margin:0;padding:14px 20px;font-size:13px}
@media(max-width:760px){main,.top,.foot{width:calc(100% - 24px)}h1{font-size:22px;line-height:28px}.top .now small{display:none}.top .btn{min-height:40px}
.part{grid-template-columns:minmax(0,1fr) auto;padding-block:12px}.part .bars{grid-column:1/-1;grid-row:2}.part .pct{grid-column:1/-1;grid-row:3;text-align:left}.part .pct small{display:inline;margin-left:8px}
.panel>header,.rows>li,.open{padding-inline:14px}.legend{margin-inline:14px}.updates,.open .sub{margin-left:0}.updates li{grid-template-columns:minmax(0,1fr);gap:2px}.updates time{text-align:left}.past>li{grid-template-columns:minmax(0,1fr)}.panel.open>header{flex-direction:column}}
`;

/** The page loads nothing, runs nothing and sends nothing: its one style element is named by its hash. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ');
