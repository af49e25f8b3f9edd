"""Chinese."""

from collections.abc import Mapping

from core.text.languages.aspect_words import AspectName, AspectWords

ASPECTS: Mapping[AspectName, AspectWords] = {
    "funding": AspectWords(asked="资助|基金|经费", headings="基金项目|资助|致谢", cues="基金|资助"),
    "availability": AspectWords(
        asked="(?:数据|代码).{0,8}(?:哪里|获取|下载|公开)", headings="数据可用性", cues="数据.{0,10}(?:可从|公开)"
    ),
    "ethics": AspectWords(asked="伦理|知情同意", headings="伦理", cues="伦理委员会|知情同意"),
    "interests": AspectWords(asked="利益冲突", headings="利益冲突", cues="利益冲突"),
    "limitations": AspectWords(asked="局限|不足之处"),
    "future": AspectWords(asked="未来(?:的)?(?:研究|工作)|下一步"),
    "size": AspectWords(asked="样本量|多少(?:名|位)?(?:参与者|患者|受试者|被试)"),
    "results": AspectWords(asked="主要(?:结果|发现)|结果是什么"),
    "conclusion": AspectWords(asked="结论"),
    "aim": AspectWords(asked="目的是|研究目的|目标是"),
    "methods": AspectWords(asked="(?:什么|哪些|何种)方法|如何进行"),
    "about": AspectWords(asked="(?:讲|关于|研究)(?:了)?什么"),
}
