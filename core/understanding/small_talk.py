"""Tells what is said to Footnote itself, not asked of the papers: small talk, orders on the library, no words at all.

Narrow on purpose: a message counts only where nearly every word of it is small talk or names what is kept here, so
that an order inside a question ("Delete which term from the model …?") stays a question.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal, TypeAlias

Aside: TypeAlias = Literal[
    "", "nothing", "greeting", "thanks", "self", "forget", "clear", "stop", "reindex", "add", "export", "settings"
]

_WORD = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_LONGEST = 14
"""Words of a message that can still be an order; what is longer tells something."""

_GREETING = (
    "hi hello hey hallo hola bonjour bonsoir salut ciao olá buongiorno moin servus morning afternoon evening night "
    "tag morgen abend buenos buenas días tardes bom boa dia tarde bye goodbye tschüss adieu adiós adeus "
    "arrivederci guten"
)
_THANKS = (
    "thanks thank thx cheers danke dankeschön gracias merci obrigado obrigada grazie great cool nice perfect helpful "
    "useful good clear awesome amazing excellent brilliant wonderful lovely wow ok okay understood helps helped "
    "appreciate appreciated well-done hilfreich prima super klasse toll perfekt perfecto genial parfait útil utile "
    "ótimo perfeito perfetto bravo gut bien bene"
)
_EITHER = "good gut"
"""Words of praise that greetings are made of too."""
_AROUND_TALK = (
    "there all everyone everybody folks team bot footnote so very really much many a lot too that's that this it "
    "it's was is were for your you the help answer answers job work works and me i us again now to know exactly what "
    "needed wanted got done well just quick fast indeed of course sir friend schön sehr vielen das war die der hilfe "
    "antwort beaucoup très muchas muy por la eso fue c'était pour réponse aide muito pela ajuda foi isso mille molto "
    "per è stato aiuto"
)
_POLITE = (
    "please kindly can could would will you just now hey hi hello footnote bot bitte jetzt kannst könntest du peux tu "
    "pouvez vous plaît s'il favor por puedes podrías você pode per favore puoi ok okay then and i want to let's"
)
_THINGS = (
    "everything all it them this that these those the a an my our your every any of from in on here again more last "
    "first second new paper papers pdf pdfs file files document documents article articles study studies library "
    "index indexes channel database data collection shelf alles alle das die den der diesen dieses diese dies mein "
    "meine artikel aufsatz aufsätze papier papiere dokument dokumente datei dateien bibliothek hier tout tous toute "
    "toutes le la les cet ce cette ces l'article article un une document documents fichier fichiers étude études "
    "bibliothèque ici todo todos toda todas el los las este esta estos artículo artículos documento documentos archivo "
    "archivos biblioteca aquí tudo o os as artigo artigos arquivo arquivos aqui tutto tutti gli questo questa "
    "l'articolo articolo articoli documenti qui di de do da del della dello aus von et y e und"
)
_TALKED = (
    "thread threads conversation conversations chat history messages message memory said talk unterhaltung gespräch "
    "verlauf nachrichten conversación historial historique messages conversa histórico conversazione cronologia"
)
_FORGET = (
    "delete remove forget erase clear wipe purge discard lösche lösch löschen entferne entfernen vergiss vergesse "
    "vergessen supprime supprimer supprimez efface effacer effacez oublie oublier oubliez enlève enlever enlevez "
    "retire retirer borra borrar borre elimina eliminar elimine olvida olvidar olvide quita quitar apaga apagar apague "
    "exclua excluir remova remover esqueça esquece cancella cancellare eliminare rimuovi rimuovere dimentica "
    "dimenticare"
)
_STOP = (
    "stop stopp halt cancel abort quit exit pause enough nevermind abbrechen aufhören stoppen arrête arrêter arrêtez "
    "annule annuler annulez detente detén alto basta cancela cancelar pare parar chega fermati ferma annulla "
    "annullare"
)
_AROUND_STOP = "it that this now please answering reading talking writing searching the answer das jetzt es ça eso isso"
_REINDEX = (
    "reindex re-index rebuild refresh reload restart reboot reset update neu indizieren aktualisiere aktualisieren "
    "réindexer réindexe reindexar reindexa reindicizza reconstruir actualiza atualiza aggiorna"
)
_ADD = "add upload import ingest load hochladen ajoute ajouter añade añadir subir adiciona adicionar aggiungi"
_EXPORT = "export download save exportiere exportieren exporter exporte exportar exporta esporta"
_EXPORTED = "bibliography references citations notes answers as bibtex ris markdown csv file list to"
_LAST = "löschen entfernen vergessen hochladen exportieren aktualisieren indizieren"
_SETTINGS = "show open change edit see zeige ändere montre muestra mostra cambia"
_SET = "settings setting options einstellungen paramètres réglages ajustes impostazioni"

_ALONE = "reindex re-index export"
_WITH_OBJECTS: tuple[tuple[Aside, str, str, str], ...] = (
    ("reindex", _REINDEX, f"{_THINGS} yourself footnote bot", ""),
    ("add", _ADD, _THINGS, ""),
    ("export", _EXPORT, f"{_THINGS} {_TALKED} {_EXPORTED}", ""),
    ("settings", _SETTINGS, f"{_SET} the your my me channel this of die les los le as", _SET),
)
"""Orders that need an object: their verbs, the objects, and words of which one must be said."""

_SELF = re.compile(
    r"(?:(?:hi|hello|hey|hallo|hola|bonjour|salut|ciao|olá|please|and|so)\W+)*(?:"
    r"help(?: me)?|(?:who|what) (?:are|r) (?:you|u)(?: exactly)?(?: and who (?:made|built) you)?"
    r"|how are you(?: doing)?|what(?:'s| is) your name|tell me about yourself"
    r"|what (?:can|could|do) you do(?: (?:here|for me|for us))?"
    r"|what (?:can|could) (?:i|we) (?:ask(?: you)?(?: here)?|do (?:here|with you))"
    r"|what else can you do|how (?:do|can|should) (?:i|we) (?:use (?:you|this|it|footnote|this bot)|start|begin"
    r"|ask(?: you)?(?: (?:a )?questions?)?)|how do you work|how does (?:this bot|footnote) work"
    r"|what(?:'s| is) (?:footnote|this (?:bot|app|page|tool|thing))(?: for)?|what should i ask(?: you)?"
    r"|wer bist du|was bist du|was kannst du(?: (?:alles|für mich))?(?: tun| machen)?|wie funktionierst du|hilfe"
    r"|qui es[- ]tu|qui êtes[- ]vous|t'?es qui|que (?:peux|sais)[- ]tu faire|que (?:pouvez|savez)[- ]vous faire"
    r"|aide(?:[- ]moi)?|quién eres|qué (?:puedes|sabes) hacer|ayuda|chi sei|(?:che )?cosa (?:puoi|sai) fare|aiuto"
    r"|quem (?:é você|és tu|és)|(?:o )?que (?:você )?(?:pode|podes|sabe|consegue) fazer|ajuda"
    r"|你是谁|你是誰|你(?:能|会|可以)做什么|帮助|帮帮我|怎么用|あなたは(?:誰|だれ)(?:ですか)?|何ができ(?:る|ます)(?:の|か)*|使い方|ヘルプ"
    r")(?: please)?",
    re.IGNORECASE,
)
_GREETED_FAR = re.compile(
    r"(?:你好|您好|大家好|早上好|晚上好|こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして|再见|안녕하세요)+"
)
_THANKED_FAR = re.compile(
    r"(?:(?:非常|十分)?(?:感谢|谢谢)(?:你|您|大家)?|太好了|好的|どうも|ありがとう(?:ございます|ございました)?|감사합니다)+"
)
_ORDERED_FAR: Mapping[Aside, re.Pattern[str]] = {
    "forget": re.compile(
        r"(?:请|把)*(?:删除|刪除|忘记|忘掉|清空|移除)(?:所有|全部|一切|这|那|篇|个|些|的|论文|文章|文件|内容|东西|库|吧|掉)*"
        r"|(?:请|把)*(?:所有|全部|这篇|那篇|的|论文|文章|文件)+(?:都)?(?:删除|刪除|删掉|忘掉|清空)(?:吧|了)?"
        r"|(?:すべて|全て|全部|この|その|の|論文|ファイル|を)+(?:削除|消去|忘れ)(?:て|し|する|ください|下さい)*"
    ),
    "stop": re.compile(
        r"(?:停止|停下|停|取消|够了|やめて|止めて|止まって|停止して|中止|中止して|キャンセル)(?:ください|吧)?"
    ),
    "reindex": re.compile(
        r"(?:重新|重建)(?:索引|建立索引|加载)|(?:再インデックス|インデックスを再構築)(?:して)?(?:ください)?"
    ),
}
_POINTED_AT = re.compile(
    r"^(?:the|this|that|my|our|den|diesen|dieses|das|die|le|la|l['’]|cet|ce|cette|el|este|esta|o|a|il|lo|questo|questa)"
    r"\W*(?:[\w'’-]+\W+){0,4}?(?:paper|pdf|file|article|study|document|preprint|artikel|aufsatz|papier|dokument|datei"
    r"|studie|étude|fichier|artículo|estudio|documento|archivo|artigo|estudo|arquivo|articolo)\b(?=\W*$|\W*[\d\"“«]"
    r"| (?:on|about|by|of|from|with|called|named|titled|über|von|zu|mit|aus|sur|de|du|des|par|sobre|del|con|do|da|com"
    r"|di|su|che parla)\b)",
    re.IGNORECASE,
)
"""One paper that is pointed at, after the verb: "the paper on wheat", "this old file"."""
_ASKS = re.compile(
    r"\b(?:which|what|how|why|who|whom|whose|where|when|whether|if|does|did|do|is|are|was|were|welche[rsnm]?|was|wie"
    r"|warum|wer|quel(?:le)?s?|comment|pourquoi|qui|qué|cuál|cómo|quién|por qué|qual|quais|como|quem|quale|che|chi"
    r"|perché)\b",
    re.IGNORECASE,
)


@cache
def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def read(message: str) -> Aside:
    """What ``message`` says to Footnote itself; empty where it may be a question on the papers."""
    if not any(sign.isalnum() for sign in message):
        return "nothing"
    said = message.strip(" \t\r\n.!?。！？¿¡…,;:~'\"“”")
    if _SELF.fullmatch(said):
        return "self"
    compact = re.sub(r"[\W_]+", "", message)
    if _GREETED_FAR.fullmatch(compact):
        return "greeting"
    if _THANKED_FAR.fullmatch(compact):
        return "thanks"
    for aside, pattern in _ORDERED_FAR.items():
        if pattern.fullmatch(compact):
            return aside
    words = [word.replace("’", "'") for word in _WORD.findall(message.lower())]
    return _order(words) or _small_talk(message, words)


def _small_talk(message: str, words: list[str]) -> Aside:
    """Every word is friendly or stands around one that is; a question mark asks for more than that."""
    greeting, thanks = _set(_GREETING), _set(_THANKS)
    asks = "?" in message or (words[0] in _set("is was were what to") and words[:2] != ["what", "a"])
    if asks or not {*words} <= greeting | thanks | _set(_AROUND_TALK):
        return ""
    if any(word in thanks - _set(_EITHER) for word in words) or words in (["got", "it"], ["well", "done"]):
        return "thanks"
    if any(word in greeting for word in words):
        return "greeting"
    return "thanks" if any(word in thanks for word in words) else ""


def _order(words: list[str]) -> Aside:
    """An imperative whose object is what is kept here, and nothing else beside it."""
    polite = _set(_POLITE)
    start = next((place for place, word in enumerate(words) if word not in polite), len(words))
    rest = words[start:]
    if not rest or len(rest) > _LONGEST or rest == ["clear"]:
        return ""
    if rest[0] in _set(_STOP) and {*rest[1:]} <= _set(_AROUND_STOP) | polite:
        return "stop"
    if _is_order(rest, _FORGET, f"{_THINGS} {_TALKED}"):
        return "clear" if any(word in _set(_TALKED) for word in rest) else "forget"
    after = " ".join(rest[1:])
    if rest[0] in _set(_FORGET) and _POINTED_AT.search(after) and not _ASKS.search(after):
        return "forget"
    for aside, verbs, objects, needed in _WITH_OBJECTS:
        whole = len(rest) > 1 or rest[0] in _set(_ALONE)
        if whole and _is_order(rest, verbs, objects) and (not needed or _set(needed) & {*rest}):
            return aside
    return ""


def _is_order(words: list[str], verbs: str, objects: str) -> bool:
    """The verb stands first, or last as in German; every other word is a thing, a number or politeness."""
    verb, other = _set(verbs), _set(objects) | _set(_POLITE)
    if words[0] not in verb and words[-1] not in verb & _set(_LAST):
        return False
    return all(word in verb or word in other or word.isdigit() for word in words)
